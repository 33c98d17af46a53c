import type { NewEvent } from "../../commands/ports.js";
import type { IndexDocument } from "../../commands/commands.js";
import { toDatasourceId, toDatasourceName, toDocumentId } from "../../src/shared/ids.js";
import type { CorpusDocument } from "../corpus.js";

/** A server, and the tenant of one run. */
export interface Target {
  readonly url: string;
  readonly namespace: string;
}

export const datasource = toDatasourceName("bench");

/** A document as a client pushes it. */
export const toCommand = ({ id, title, text }: CorpusDocument): IndexDocument => ({
  datasource,
  documentId: toDocumentId(id),
  title,
  body: { kind: "text", text, mimeType: "text/plain", size: text.length },
  fileType: "file",
  pathPreview: `https://example.org/${id}`,
  path: null,
  author: "bench",
  lastModified: "2024-05-01T10:00:00.000Z",
  sub: null,
  childSub: null,
  access: { anonymous: true, users: [], groups: [] },
  customProperties: [],
});

/** The event that such a push leads to. */
export function toEvent({ id, title, text }: CorpusDocument, eventId: string): NewEvent {
  const command = toCommand({ id, title, text });
  return {
    id: eventId,
    event: {
      type: "DocumentIndexed",
      data: {
        datasourceId: toDatasourceId("bench"),
        datasource,
        documentId: command.documentId,
        title,
        content: { sha256: "0".repeat(64), bytes: text.length },
        mimeType: "text/plain",
        size: text.length,
        fileType: "file",
        pathPreview: command.pathPreview,
        path: null,
        author: command.author,
        lastModified: command.lastModified,
        sub: null,
        childSub: null,
        access: { anonymous: true, users: [], groups: [] },
        customProperties: [],
        supersededContent: null,
        widenedToAnonymous: false,
      },
    },
    metadata: { at: "2024-05-01T10:00:00.000Z", by: "operator", correlationId: "bench", causationId: "bench" },
  };
}

/** Works on so many items at a time. */
export async function inFlight<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value[1], next.value[0]);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
