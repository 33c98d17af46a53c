import type { Datasource } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import { documentStream } from "../../src/events/streams.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandHandler, Decided } from "../handleCommand.js";
import { decide, documentAggregate, type DocumentState } from "./decider.js";
import type { IndexDocument, IndexedDocument } from "./indexing.js";
import { indexOutcome } from "./indexOutcome.js";

/** Indexes one document into a datasource incarnation. Of one id, the later call is decided after the earlier. */
export function handleIndexing(
  handler: CommandHandler,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument,
): CommandResult<IndexedDocument> {
  return handler.handle<DocumentState, DocumentEvent, IndexedDocument>({
    aggregate: documentAggregate,
    stream: documentStream(datasource.datasourceId, document.documentId),
    context,
    decide(state) {
      const decision = decide({ type: "IndexDocument", datasource, document }, state);
      const widens =
        decision.ok && decision.value.some(({ type, data }) => type === "DocumentIndexed" && data.widenedToAnonymous);
      if (widens && context.neverWidens === true)
        return failed({ type: "WouldWiden", documentId: document.documentId });
      return decision.ok
        ? ok(
            withText(
              document,
              decision.value,
              indexOutcome(document, datasource, state, { events: decision.value, ...context }),
            ),
          )
        : decision;
    },
  });
}

/** The text goes into the log with the event that refers to it. */
function withText(
  document: IndexDocument,
  events: readonly DocumentEvent[],
  value: IndexedDocument,
): Decided<DocumentEvent, IndexedDocument> {
  const [event] = events;
  if (event?.type !== "DocumentIndexed" || document.body.kind !== "text") return { events, value };
  const { datasourceId, datasource, documentId, content } = event.data;
  return {
    events,
    contents: [
      { stream: documentStream(datasourceId, documentId), datasource, reference: content, text: document.body.text },
    ],
    value,
  };
}
