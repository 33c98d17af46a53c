import type { ComponentChildren } from "preact";
import { words } from "../words.js";

const say = words({
  en: { again: "Try again", busy: "Loading" },
  de: { again: "Noch einmal", busy: "Wird geladen" },
});

/** What went wrong, announced at once, with a way to try again where there is one. */
export const Fault = ({ children, again }: { readonly children: ComponentChildren; readonly again?: () => void }) => (
  <div class="fault" role="alert">
    <p>{children}</p>
    {again !== undefined && (
      <button type="button" onClick={again}>
        {say("again")}
      </button>
    )}
  </div>
);

/** Something is on its way. */
export const Busy = ({ what }: { readonly what?: string }) => (
  <p class="busy" role="status">
    <span class="spinner" aria-hidden="true" />
    {what ?? say("busy")}
  </p>
);

/** There is nothing to show, and what to do next. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty" role="status">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);
