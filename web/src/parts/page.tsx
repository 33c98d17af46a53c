import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { productName } from "../session.js";

interface PageProps {
  readonly title: string;
  /** What can be done here, beside the title. */
  readonly actions?: ComponentChildren;
  /** The element that gets the focus is chosen by the screen. */
  readonly keepsFocus?: boolean;
  readonly children: ComponentChildren;
}

/** A screen with its title, which is announced and gets the focus when the screen is opened. */
export function Page({ title, actions, keepsFocus = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${productName.value}`;
  }, [title, productName.value]);
  // At once: somebody may be typing in a field of the screen by the time it is drawn.
  useLayoutEffect(() => {
    if (!keepsFocus) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
