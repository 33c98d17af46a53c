import { effect, signal } from "@preact/signals";

/** How the page looks: light, dark, or as the system has it. */
export const themes = ["system", "light", "dark"] as const;
/** One of {@link themes}. */
export type Theme = (typeof themes)[number];

const keptAs = "theme";

/** The chosen look. */
export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(keptAs)) ?? "system");

/** Changes the look, and remembers it in this browser. */
export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(keptAs, chosen);
  theme.value = chosen;
}

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});
