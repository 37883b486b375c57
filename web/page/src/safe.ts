// Reports come as HTML that the engine has escaped. They are built anew all the
// same, from elements and attributes on this list alone: a text of a stranger
// stays a text whatever becomes of the engine.

const elements = new Set(
  "section h1 h2 h3 h4 h5 h6 p small div table caption thead tbody tr th td pre code ul ol li em strong del blockquote hr br b i a span figure s".split(" "),
);
const attributes = new Set("class id scope tabindex aria-labelledby aria-label role align start colspan".split(" "));

/** The elements of a report. Pictures are left out: the page draws its own. */
export function fromReport(html: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const out = document.createDocumentFragment();
  for (const child of parsed.body.childNodes) copy(child, out);
  return out;
}

function copy(from: Node, into: Node): void {
  if (from.nodeType === Node.TEXT_NODE) {
    into.appendChild(document.createTextNode(from.textContent ?? ""));
    return;
  }
  if (!(from instanceof HTMLElement) || !elements.has(from.localName)) return;
  const el = document.createElement(from.localName);
  for (const { name, value } of from.attributes) if (attributes.has(name)) el.setAttribute(name, value);
  if (el instanceof HTMLAnchorElement) link(el, from.getAttribute("href") ?? "");
  for (const child of from.childNodes) copy(child, el);
  into.appendChild(el);
}

/** Links of a document lead to the library, or out in a window of their own. */
function link(el: HTMLAnchorElement, href: string): void {
  if (/^https?:\/\//.test(href)) {
    el.href = href;
    el.target = "_blank";
    el.rel = "noopener noreferrer";
  } else if (/^[\w./-]+\.(md|star)$/.test(href)) {
    el.href = "#open=" + href.replace(/^(\.\.?\/)+/, "");
    el.dataset["library"] = href;
  }
}
