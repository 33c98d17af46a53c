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

/** Where the service is reached. */
export interface AddressSettings {
  /** Address to listen on. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Address under which people reach the service, without a slash at its end; null: the one that they asked. */
  readonly publicUrl: string | null;
}

/** An origin; null where nothing is set. */
function originOf(value: string): string | null | undefined {
  if (value === "") return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : undefined;
}

export const addressSettings: { readonly [Field in keyof AddressSettings]: Setting<AddressSettings[Field]> } = {
  host: {
    name: "HOST",
    default: "127.0.0.1",
    meaning: "Address to listen on; `0.0.0.0` listens on all of them.",
    allowed: "an IP address or a host name",
    ...text(/^[A-Za-z0-9.:_-]{1,255}$/),
  },
  port: { name: "PORT", default: "8080", meaning: "Port to listen on; 0 takes any free one.", ...integer(0, 65_535) },
  publicUrl: {
    name: "PUBLIC_URL",
    default: "",
    meaning:
      "Address under which people reach the service, such as `https://search.example.com`: for links in answers, and for the origin that `/mcp` takes. Unset: the one that a request was sent to.",
    allowed: "an http or https address without a path",
    parse: originOf,
  },
};
