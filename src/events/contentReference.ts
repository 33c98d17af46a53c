import { hash } from "node:crypto";
import type { ContentReference } from "./document.js";

/** Names a text by the SHA-256 and the length of its UTF-8 bytes. */
export const contentReference = (text: string): ContentReference => ({
  sha256: hash("sha256", text),
  bytes: Buffer.byteLength(text),
});
