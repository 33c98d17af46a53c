import type { ContentReference, DocumentIndexed } from "./document.js";
import type { EventType } from "./domainEvent.js";
import type { FileUploaded } from "./file.js";

/** The types of the events that bring contents, which belong to the stream of the event. */
export const bringingEventTypes = ["DocumentIndexed", "FileUploaded"] as const satisfies readonly EventType[];

/** The contents that an event brings, as far as what is stored of it says so. */
export function broughtContents(type: string, data: unknown): readonly ContentReference[] {
  const { content, text } = (data ?? {}) as Partial<DocumentIndexed["data"] & FileUploaded["data"]>;
  const brought = type === "FileUploaded" ? [content, text] : type === "DocumentIndexed" ? [content] : [];
  return brought.filter((reference) => reference !== undefined);
}
