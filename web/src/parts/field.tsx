import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly name?: string;
  readonly type?: "text" | "email" | "password" | "number" | "date" | "datetime-local";
  readonly value?: string;
  readonly defaultValue?: string;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly autofocus?: boolean;
  /** Called with the text at every change. */
  readonly onText?: (text: string) => void;
  /** A sentence below that helps. */
  readonly help?: ComponentChildren;
}

/** An input with its label above and a sentence below. */
export function Field({ label, help, type = "text", onText, ...input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The types of elements know what goes with each kind; a field of ours is any of these.
        type={type as "text"}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        {...input}
      />
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

const shortestPassword = 12;

/** Where a password is chosen; which ones will do the service decides. */
export const NewPassword = (field: Required<Pick<FieldProps, "label" | "name" | "help">>) => (
  <Field {...field} type="password" autocomplete="new-password" minLength={shortestPassword} required />
);
