// Making elements. Text is always set as text, never as markup.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element: properties by name, attributes with a dash or in `attr`, `on…` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag);
  apply(el, props);
  el.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return el;
}

/** Makes an element of a picture. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value as EventListener);
    else if (value !== undefined && value !== false) el.setAttribute(name, String(value));
  }
  el.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return el;
}

function apply(el: HTMLElement, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value as EventListener);
    else if (name === "class") el.className = String(value);
    else if (name.includes("-") || name === "role" || name === "for" || name === "colspan" || name === "list") el.setAttribute(name, String(value));
    else (el as unknown as Record<string, unknown>)[name] = value;
  }
}

/** The element of the page with an id, which has to be there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const el = document.getElementById(id);
  if (!el) throw new Error(`the page has no #${id}`);
  return el as T;
}

let ids = 0;

/** An id that nothing else has. */
export function freshId(): string {
  return `d${++ids}`;
}

/** An icon: a path in a square of 16. */
export function icon(path: string): SVGSVGElement {
  return s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

export const icons = {
  pin: "M9.500 1.500l5 5-2.500.800-3 3-.500 3.200L2.500 7.500l3.200-.500 3-3zM5.500 10.500l-4 4",
  roll: "M8 1.200l6 3.400v6.800l-6 3.400-6-3.400V4.600zM8 6l3.500 4.500h-7z",
  save: "M8 2v8m-3-3 3 3 3-3M2.500 13.500h11",
  sun: "M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  moon: "M13.500 9.500A6 6 0 016.500 2.500 6 6 0 1013.500 9.500z",
  auto: "M8 2a6 6 0 100 12A6 6 0 008 2zM8 2v12M8 5h3.500M8 8h6M8 11h3.500",
  close: "M4 4l8 8M12 4l-8 8",
};
