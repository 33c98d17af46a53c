/** A setting, as the environment gives it. */
export interface Setting<Value> {
  /** The environment variable. */
  readonly name: string;
  /** The text that the environment would hold. */
  readonly default: string;
  readonly meaning: string;
  /** What is allowed; completes the sentence "NAME must be …". */
  readonly allowed: string;
  /** True where the value may hold a credential: no message repeats it, and it may be in a file (`{name}_FILE`). */
  readonly isSecret?: boolean;
  /** Undefined where the text is not allowed. */
  parse(text: string): Value | undefined;
}

/** A text of a form. */
export const text = (pattern: RegExp) => ({ parse: (value: string) => (pattern.test(value) ? value : undefined) });

/** A whole number within bounds, which count. */
export const integer = (minimum: number, maximum: number) => ({
  allowed: `a whole number from ${minimum} to ${maximum}`,
  parse: (value: string): number | undefined => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
});

/** The same, or nothing. */
export const integerOrUnset = (minimum: number, maximum: number) => {
  const { allowed, parse } = integer(minimum, maximum);
  return { default: "", allowed, parse: (value: string) => (value === "" ? null : parse(value)) };
};

/** One of these words. */
export const oneOf = <Word extends string>(words: readonly Word[]) => ({
  allowed: `one of ${words.join(", ")}`,
  parse: (value: string): Word | undefined => words.find((word) => word === value),
});

/** A key of an engine; unset means that there is none. */
export const keyOrUnset = {
  default: "",
  allowed: "a key without spaces",
  isSecret: true,
  parse: (value: string): string | null | undefined =>
    value === "" ? null : /^[!-~]{1,512}$/.test(value) ? value : undefined,
};

/** The path of a file; unset means that there is none. */
export const fileOrUnset = {
  default: "",
  allowed: "the path of a file",
  parse: (value: string): string | null | undefined => (value === "" ? null : value.includes("\0") ? undefined : value),
};

/** An address of one of these schemes; unset means that the part is embedded. It may hold a password. */
export const engineAddress = (...schemes: readonly string[]) => ({
  default: "",
  allowed: `an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  isSecret: true,
  parse: (value: string): string | null | undefined => {
    if (value === "") return null;
    return schemes.some((scheme) => value.startsWith(`${scheme}://`) && /^[!-~]+$/.test(value.slice(scheme.length + 3)))
      ? value
      : undefined;
  },
});
