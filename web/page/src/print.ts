// Paper: a table that is wider than the sheet is printed smaller, so that nothing is cut.

/** CSS pixels between the margins of a sheet of A4 or Letter. */
const sheet = 680;

/** Makes tables fit when the page is printed. */
export function fitPrint(): void {
  window.addEventListener("beforeprint", () => {
    for (const table of document.querySelectorAll<HTMLElement>(".read table")) {
      table.style.setProperty("--print-zoom", String(Math.min(1, sheet / Math.max(1, table.scrollWidth))));
    }
  });
}
