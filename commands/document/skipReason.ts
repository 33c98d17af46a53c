import { extension } from "mime-types";
import type { ReadBody } from "./indexing.js";

const maxSuffixLength = 10;

/**
 * Why the pipeline does not take a body, as a sentence; null where it does (spec: States and transitions, `skipped`).
 */
export function skipReason(body: ReadBody): string | null {
  // What type the client declared was looked at before the file was read.
  if (body.kind === "text" && body.file !== undefined) return null;
  const suffix = fileSuffix(body.mimeType);
  if (suffix.length > maxSuffixLength) {
    return `The file suffix "${suffix}", computed from the MIME type, is longer than ${maxSuffixLength} characters.`;
  }
  return body.kind === "unextractable" ? body.reason : null;
}

/** The extension registered for the media type, without the dot; where none is registered, the subtype itself. */
function fileSuffix(mimeType: string): string {
  const registered = extension(mimeType);
  if (registered !== false) return registered;
  const [type = ""] = mimeType.split(";");
  return type.slice(type.indexOf("/") + 1).trim();
}
