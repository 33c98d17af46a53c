import { createHash } from "node:crypto";

const maxReadableLength = 160;
const hashLength = 24;

/**
 * The document id of a file: a readable form of its path, and 96 bits of the path's SHA-256. It depends on the path
 * alone, so that every import of the same folder names the same documents; it stays within the id rules
 * (spec: Document, `[A-Za-z0-9._-]`, at most 200 characters, no `..`); and two paths never share one.
 */
export function documentIdOf(path: string): string {
  const readable = path
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(-maxReadableLength)
    .replace(/^[-.]+/, "");
  const hash = createHash("sha256").update(path).digest("hex").slice(0, hashLength);
  return readable === "" ? hash : `${readable}-${hash}`;
}
