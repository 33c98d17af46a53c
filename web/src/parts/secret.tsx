import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { words } from "../words.js";
import { Dialog } from "./dialog.js";

const say = words({
  en: {
    copy: "Copy",
    copied: "Copied",
    once: "Keep it now: it is shown this once and can't be had again.",
    done: "Done",
  },
  de: {
    copy: "Kopieren",
    copied: "Kopiert",
    once: "Jetzt aufheben: Es wird nur dieses eine Mal gezeigt.",
    done: "Fertig",
  },
});

interface SecretProps {
  /** What kind of secret it is. */
  readonly label: string;
  readonly value: string;
}

interface SecretDialogProps extends SecretProps {
  readonly title: string;
  readonly onClose: () => void;
  /** What the secret is good for. */
  readonly children?: ComponentChildren;
}

/** Shows a secret that was just made, once. */
export const SecretDialog = ({ title, onClose, children, ...secret }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <Secret {...secret} />
    <div class="actions end">
      <button type="button" class="primary" onClick={onClose}>
        {say("done")}
      </button>
    </div>
  </Dialog>
);

/** A secret, alone in its element, with a way to copy it. */
function Secret({ label, value }: SecretProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <div class="secret" role="group" aria-label={label}>
      <p>{say("once")}</p>
      <div class="secret-line">
        <code data-secret>{value}</code>
        <button type="button" onClick={() => void copy()}>
          {isCopied ? say("copied") : say("copy")}
        </button>
      </div>
    </div>
  );
}
