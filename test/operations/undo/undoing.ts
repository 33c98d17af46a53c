import type { CommandContext, IndexDocument } from "../../../commands/commands.js";
import { createUndo } from "../../../src/operations/undo/createUndo.js";
import type { Undo } from "../../../src/operations/undo/undo.js";
import type { DocumentAccess } from "../../../src/events/document.js";
import { documentIdsOf, type StreamName } from "../../../src/events/streams.js";
import { toCredentialId, toDocumentId } from "../../../src/shared/ids.js";
import { operator, wiki } from "../../support/examples.js";
import type { CommandsUnderTest } from "../../commands/temporaryCommands.js";

/** Whose writes are taken back. */
export const sync = toCredentialId("sync");
export const bySync: CommandContext = { ...operator, by: sync };

export const document = (
  id: string,
  access: DocumentAccess,
  { text = "text", title = id, lastModified = null as string | null } = {},
): IndexDocument => ({
  datasource: wiki,
  documentId: toDocumentId(id),
  title,
  body: { kind: "text", text, mimeType: "text/plain", size: text.length },
  fileType: "page",
  pathPreview: null,
  path: null,
  author: null,
  lastModified,
  sub: null,
  childSub: null,
  access,
  customProperties: [],
});

/**
 * Texts are those of the log, as long as they are not `erased`; `*` are all of them. `beforeSteps` happens between the
 * plan and the steps that look at the log again.
 */
export function undoOn(
  { commands, under }: CommandsUnderTest,
  erased: ReadonlySet<string>,
  beforeSteps: () => Promise<unknown> = () => Promise.resolve(),
): Undo {
  const { log, source, contents } = under;
  let heads = 0;
  return createUndo({
    tryOut: () => Promise.resolve(null),
    commands,
    log: {
      readStream: (stream, fromRevision) => log.readStream(stream, fromRevision),
      readLast: (stream) => log.readLast(stream),
      head: async () => {
        // The plan asks first; whoever looks again is about to carry out a step.
        if (heads++ === 1) await beforeSteps();
        return source.head();
      },
      async *readRange(after, upTo, categories) {
        const ending = new AbortController();
        for await (const { events, position, caughtUp } of source.subscribe({
          after,
          categories,
          maxBatchSize: 5,
          signal: ending.signal,
        })) {
          yield events.filter((event) => event.position <= upTo);
          if (caughtUp || position >= upTo) return;
        }
      },
    },
    texts: {
      read: async (key) =>
        erased.has("*") ||
        (erased.has(documentIdsOf(key.stream).documentId) &&
          key.reference.sha256 !== undefined &&
          (await isReplaced(log, key)))
          ? null
          : contents.read(key),
    },
  });
}

/** An erased text is one that is no longer the document's. */
async function isReplaced(
  log: CommandsUnderTest["under"]["log"],
  { stream, reference }: { stream: StreamName; reference: { sha256: string } },
): Promise<boolean> {
  const last = await log.readLast(stream);
  return last?.event.type !== "DocumentIndexed" || last.event.data.content.sha256 !== reference.sha256;
}
