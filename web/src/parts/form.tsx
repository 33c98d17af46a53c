import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Fault } from "./states.js";

/** Does what a form asks for, with what its fields hold. Resolves to a sentence where it failed, else to null. */
export type Send = (given: FormData) => Promise<string | null>;

/** How the sending of a form stands. */
interface Sending {
  readonly fault: string | null;
  readonly isBusy: boolean;
  readonly onSubmit: (event: SubmitEvent) => void;
}

/** Sends a form without leaving the page. One that was taken is as it was at first. `before`: what is wrong already. */
export function useSending(send: Send, before: string | null = null): Sending {
  const [fault, setFault] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true);
    setFault(null);
    const failure = await send(new FormData(form));
    setBusy(false);
    setFault(failure);
    if (failure === null) form.reset();
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isBusy) void submit(event.currentTarget as HTMLFormElement);
  };
  return { fault, isBusy, onSubmit };
}

interface FormProps {
  readonly onSend: Send;
  /** What the button says: the act, not "OK". */
  readonly act: string;
  /** The fields. */
  readonly children: ComponentChildren;
}

/** A form with its fields below each other, and the button at the end. */
export function Form({ onSend, act, children }: FormProps) {
  const { fault, isBusy, onSubmit } = useSending(onSend);
  return (
    <form class="stack" onSubmit={onSubmit}>
      {children}
      {fault !== null && <Fault>{fault}</Fault>}
      <div class="actions end">
        <button class="primary" disabled={isBusy}>
          {act}
        </button>
      </div>
    </form>
  );
}

/** A short form in one line, where there is room. */
export function LineForm({ onSend, act, children }: FormProps) {
  const { fault, isBusy, onSubmit } = useSending(onSend);
  return (
    <form class="row line-form" onSubmit={onSubmit}>
      {children}
      <button disabled={isBusy}>{act}</button>
      {fault !== null && <Fault>{fault}</Fault>}
    </form>
  );
}
