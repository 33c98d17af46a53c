import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../words.js";
import { Fault } from "./states.js";

const say = words({ en: { cancel: "Cancel", close: "Close" }, de: { cancel: "Abbrechen", close: "Schließen" } });

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** `wide` for what needs room. */
  readonly size?: "narrow" | "wide";
}

/** A native modal dialog: it is open as long as it is rendered. Escape closes it, and the focus goes back. */
export function Dialog({ title, onClose, children, size = "narrow" }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const isThere = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    isThere.current = true;
    return () => {
      isThere.current = false;
      dialog?.close();
    };
  }, []);
  /** Who has gone elsewhere has not closed it: the event would come too late, and lead back. */
  const close = (): void => {
    if (isThere.current) onClose();
  };
  return (
    <dialog ref={place} class={`dialog ${size}`} aria-labelledby={id} onClose={close}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label={say("close")} onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What happens, in full sentences: what stops working, what cannot be undone. */
  readonly children: ComponentChildren;
  /** What the button says: the act, not "OK". */
  readonly act: string;
  /** Does it. Resolves to a sentence where it failed, else to null. */
  readonly onConfirm: () => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, act, onConfirm, onClose }: ConfirmProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    const failure = await onConfirm();
    setBusy(false);
    setFault(failure);
    if (failure === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {fault !== null && <Fault>{fault}</Fault>}
      <div class="actions end">
        <button type="button" class="plain" onClick={onClose}>
          {say("cancel")}
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={() => void confirm()}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}
