import { hash } from "node:crypto";
import type { CarriedText } from "../shared/carriedText.js";
import type { ContentReference } from "./document.js";

/** Names a text by the SHA-256 and the length of its UTF-8 bytes. */
export const contentReference = (text: CarriedText): ContentReference => ({
  sha256: hash("sha256", text),
  bytes: Buffer.byteLength(text),
});
