import type { ComponentChildren } from "preact";

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly name?: string;
  /** What can be chosen: what the form or the API gets, and what people read. */
  readonly of: readonly (readonly [value: Value, shown: string])[];
  /** What is chosen, where the component keeps that; else `first`. */
  readonly value?: Value;
  /** What is chosen at first, where the form keeps it. */
  readonly first?: Value;
  readonly onChoose?: (chosen: Value) => void;
  /** A sentence below that helps. */
  readonly help?: ComponentChildren;
}

/** One of a few values, with its label above. */
export const Select = <Value extends string>({ label, of, first, help, onChoose, ...select }: SelectProps<Value>) => (
  <label class="field">
    <span>{label}</span>
    <select {...select} onChange={({ currentTarget }) => onChoose?.(currentTarget.value as Value)}>
      {of.map(([value, shown]) => (
        <option key={value} value={value} selected={first === undefined ? undefined : value === first}>
          {shown}
        </option>
      ))}
    </select>
    {help !== undefined && <span class="help">{help}</span>}
  </label>
);
