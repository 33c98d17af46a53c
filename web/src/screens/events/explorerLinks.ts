import { addressOf } from "../../address.js";
import type { Schemas } from "../../api/client.js";

/** A place in the explorer. */
export interface ExplorerLink {
  readonly subject: "document" | "person";
  readonly to: string;
}

/** What an event was about, as the explorer shows it at that moment. */
export function explorerLinks({
  stream,
  datasource,
  data,
  position: at,
}: Schemas["EventAnswer"]): readonly ExplorerLink[] {
  const documentId = textIn(data, "documentId");
  if (documentId !== null && datasource !== null)
    return [{ subject: "document", to: addressOf("/access", { document: `${datasource}/${documentId}`, at }) }];
  const person = textIn(data, "email") ?? /^user-[^:]*:(.+)$/s.exec(stream)?.[1] ?? null;
  return person === null || datasource === null
    ? []
    : [{ subject: "person", to: addressOf("/access", { person, at }) }];
}

function textIn(data: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = data[name];
  return typeof value === "string" ? value : null;
}
