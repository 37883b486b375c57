// Colours: as the system has them, light, or dark.

import { byId, icon, icons } from "./dom.js";

const key = "dicescript/theme";
const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const looks: Record<Theme, [label: string, path: string]> = {
  auto: ["Colours: as the system", icons.auto],
  light: ["Colours: light", icons.sun],
  dark: ["Colours: dark", icons.moon],
};

export function startTheme(): void {
  const button = byId("theme");
  let theme: Theme = "auto";
  try {
    theme = themes.find((t) => t === localStorage.getItem(key)) ?? "auto";
  } catch {
    // no storage: as the system
  }
  const show = () => {
    document.documentElement.dataset["theme"] = theme;
    button.setAttribute("aria-label", looks[theme][0]);
    button.title = looks[theme][0];
    button.replaceChildren(icon(looks[theme][1]));
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // no storage: for now
    }
    show();
  });
  show();
}
