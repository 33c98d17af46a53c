import type { Datasource } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import { documentStream } from "../../src/events/streams.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandHandler, Decided } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, documentAggregate, type DocumentState } from "./decider.js";
import { asIfRead, readFileBody } from "./fileBody.js";
import type { FileBody, IndexDocument, IndexedDocument, ReadDocument } from "./indexing.js";
import { indexOutcome } from "./indexOutcome.js";

type Services = Pick<CommandServices, "handler" | "extractor">;

/**
 * Indexes one document into a datasource incarnation. Of one id, the later call is decided after the earlier, but for
 * files: they are read outside of any queue, and decided once that is done (ADR 37).
 */
export function handleIndexing(
  services: Services,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument,
): CommandResult<IndexedDocument> {
  const { body } = document;
  return body.kind === "file"
    ? handleFile(services, context, datasource, { ...document, body })
    : handleText(services.handler, context, datasource, { ...document, body });
}

/** A file that comes to nothing whatever is in it is not read. */
async function handleFile(
  { handler, extractor }: Services,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument<FileBody>,
): CommandResult<IndexedDocument> {
  const { body } = document;
  const unread = await handleText(handler, { ...context, dryRun: true }, datasource, {
    ...document,
    body: asIfRead(body),
  });
  if (!unread.ok || unread.value.value.outcome !== "sent") return unread;
  const read = await readFileBody(extractor, body, context);
  return read.ok ? handleText(handler, context, datasource, { ...document, body: read.value }) : read;
}

function handleText(
  handler: CommandHandler,
  context: CommandContext,
  datasource: Datasource,
  document: ReadDocument,
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
  document: ReadDocument,
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
