import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { productName } from "../session.js";
import { useSending, type Send } from "./form.js";
import { Fault } from "./states.js";

interface LoneCardProps {
  readonly title: string;
  readonly onSend: Send;
  /** What the button says. */
  readonly act: string;
  /** Whether the form can be sent. */
  readonly isReady?: boolean;
  /** What is wrong before anything was sent. */
  readonly before?: string | null;
  /** What stands below the button. */
  readonly other?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The one form that somebody sees who is not signed in. */
export function LoneCard({ title, onSend, act, isReady = true, before = null, other, children }: LoneCardProps) {
  const { fault, isBusy, onSubmit } = useSending(onSend, before);
  useEffect(() => {
    document.title = `${title} · ${productName.value}`;
  });
  return (
    <main class="lone">
      <form class="card" onSubmit={onSubmit}>
        <p class="brand">
          <img src="/assets/icon.svg" alt="" width="28" height="28" />
          {productName.value}
        </p>
        <h1>{title}</h1>
        {fault !== null && <Fault>{fault}</Fault>}
        {children}
        <button class="primary" disabled={isBusy || !isReady}>
          {act}
        </button>
        {other}
      </form>
    </main>
  );
}
