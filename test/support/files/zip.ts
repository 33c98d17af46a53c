import { strToU8, zipSync, type Zippable } from "fflate";

/** A ZIP archive of these entries, in order. */
export function zip(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const zippable: Zippable = {};
  for (const [name, content] of Object.entries(entries))
    zippable[name] = typeof content === "string" ? strToU8(content) : content;
  return Buffer.from(zipSync(zippable, { level: 6 }));
}
