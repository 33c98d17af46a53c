import type { DocumentMessage } from "../messages/documentMessage.js";

const extension = /\.[A-Za-z0-9]{1,10}$/;

/** What a document's file is called: as the address or the breadcrumb ends, if that is a name of a file, else its id. */
export function fileName({ path_preview, path, id }: Pick<DocumentMessage, "path_preview" | "path" | "id">): string {
  const names = [decoded((path_preview ?? "").replace(/[?#].*$/s, "")), path ?? ""].map(lastSegment);
  return names.find((name) => extension.test(name)) ?? id;
}

const lastSegment = (path: string): string => (path.split(/[/\\>]/).at(-1) ?? "").trim();

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
