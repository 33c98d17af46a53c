import { integer, text, type Setting } from "./kinds.js";

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
