import { hash } from "node:crypto";
import type { CarriedText } from "../shared/carriedText.js";
import type { EventType } from "./domainEvent.js";
import type { FileUploaded } from "./file.js";
import type { ContentReference, DocumentIndexed } from "./document.js";

/** Names a text by the SHA-256 and the length of its UTF-8 bytes. */
export const contentReference = (text: CarriedText): ContentReference => ({
  sha256: hash("sha256", text),
  bytes: Buffer.byteLength(text),
});

/** The types of the events that bring contents, which belong to the stream of the event. */
export const bringingEventTypes = ["DocumentIndexed", "FileUploaded"] as const satisfies readonly EventType[];

/** The contents that an event brings, as far as what is stored of it says so. */
export function broughtContents(type: string, data: unknown): readonly ContentReference[] {
  const { content, text } = (data ?? {}) as Partial<DocumentIndexed["data"] & FileUploaded["data"]>;
  const brought = type === "FileUploaded" ? [content, text] : type === "DocumentIndexed" ? [content] : [];
  return brought.filter((reference) => reference !== undefined);
}
