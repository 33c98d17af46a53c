import iconv from "iconv-lite";

/** Decodes bytes of any known encoding; null where it is not known. What stands for no character is U+FFFD. */
export function decodeAs(bytes: Buffer, label: string): string | null {
  const decoder = decoderOf(label);
  if (decoder?.encoding === "windows-1252") return decodeWindows1252(bytes);
  if (decoder !== null) return decoder.decode(bytes);
  // Code pages of DOS and UTF-32, which browsers do not know.
  return iconv.encodingExists(label) ? iconv.decode(bytes, label) : null;
}

/** The usual name of an encoding; null where it is not known. */
export const encodingNamed = (label: string): string | null =>
  decoderOf(label)?.encoding ?? (iconv.encodingExists(label) ? label.toLowerCase() : null);

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** The characters of 0x80 to 0x9f; elsewhere Windows-1252 is Latin-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node's own decoder takes these bytes for control characters. */
const decodeWindows1252 = (bytes: Buffer): string => asWindows1252(bytes.toString("latin1"));

/** Bytes of Windows-1252, given as characters of the same numbers. */
export const asWindows1252 = (bytes: string): string =>
  bytes.replace(/[\u0080-\u009f]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80));
