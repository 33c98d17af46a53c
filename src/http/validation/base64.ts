const dataUrl = /^data:[A-Za-z0-9!#$&^_.+/-]*(?:;[A-Za-z0-9=._-]+)*;base64,/;

/**
 * How many bytes standard Base64 decodes to; undefined where it is not standard Base64 (alphabet, length, padding, rest
 * bits).
 */
export function decodedLength(base64: string): number | undefined {
  if (base64.length % 4 !== 0) return undefined;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  const digits = base64.length - padding;
  if (/[^A-Za-z0-9+/]/.test(padding === 0 ? base64 : base64.slice(0, digits))) return undefined;
  const lastQuantum = base64.slice(-4);
  if (padding > 0 && Buffer.from(lastQuantum, "base64").toString("base64") !== lastQuantum) return undefined;
  return (base64.length / 4) * 3 - padding;
}

/** The same for an icon, which may also be a data URL. */
export function iconLength(icon: string): number | undefined {
  return decodedLength(icon.slice(dataUrl.exec(icon)?.[0].length ?? 0));
}
