interface ChecksProps<Value extends string> {
  readonly legend: string;
  /** What can be chosen, and what people read. */
  readonly of: readonly (readonly [value: Value, shown: string])[];
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: readonly Value[]) => void;
}

/** Any of a few values. */
export const Checks = <Value extends string>({ legend, of, chosen, onChoose }: ChecksProps<Value>) => (
  <fieldset>
    <legend>{legend}</legend>
    {of.map(([value, shown]) => (
      <label class="check" key={value}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={({ currentTarget }) => onChoose(toggled(chosen, value, currentTarget.checked))}
        />
        <span>{shown}</span>
      </label>
    ))}
  </fieldset>
);

/** What is chosen once a value is put in or taken out. */
export const toggled = <Value,>(chosen: readonly Value[], value: Value, isOn: boolean): readonly Value[] =>
  isOn ? [...chosen, value] : chosen.filter((other) => other !== value);
