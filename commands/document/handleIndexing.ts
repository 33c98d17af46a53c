import type { Datasource } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import { documentStream } from "../../src/events/streams.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandHandler, Decided } from "../handleCommand.js";
import { remarkOnNobody } from "./access.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { Rejection } from "../rejection.js";
import type { CommandServices } from "../services.js";
import { decide, documentAggregate, type DocumentState } from "./decider.js";
import { asIfRead, readFileBody } from "./fileBody.js";
import type { FileBody, IndexDocument, IndexedDocument, ReadDocument } from "./indexing.js";
import { indexOutcome, overtakenOutcome } from "./indexOutcome.js";

type Services = Pick<CommandServices, "handler" | "extractor" | "fileTurns" | "productName">;

/** Indexes one document into a datasource incarnation. Of one id, the later call counts (ADR 37). */
export async function handleIndexing(
  services: Services,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument,
): CommandResult<IndexedDocument> {
  const indexed = await handleDocument(services, context, datasource, document);
  const remark = document.access && remarkOnNobody(document.access, services.productName);
  if (!indexed.ok || remark === null || indexed.value.value.outcome === "skipped") return indexed;
  const { value } = indexed.value;
  return ok({ ...indexed.value, value: { ...value, message: `${value.message} ${remark}` } });
}

function handleDocument(
  services: Services,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument,
): CommandResult<IndexedDocument> {
  const { body } = document;
  if (body.kind !== "file") return decideDocument(services.handler, context, datasource, { ...document, body });
  const stream = documentStream(datasource.datasourceId, document.documentId);
  return services.fileTurns.take(stream, () => handleFile(services, context, datasource, { ...document, body }));
}

/**
 * A file that comes to nothing whatever is in it is not read. It is read outside of any queue of the log, and decided
 * again then: on the datasource as it is by then, and not if somebody has written to the document meanwhile.
 */
async function handleFile(
  { handler, extractor }: Services,
  context: CommandContext,
  datasource: Datasource,
  document: IndexDocument<FileBody>,
): CommandResult<IndexedDocument> {
  let decidedAt: Position | null = null;
  const unread = await decideDocument(
    handler,
    { ...context, dryRun: true },
    datasource,
    { ...document, body: asIfRead(document.body) },
    (position) => void (decidedAt = position),
  );
  if (!unread.ok || unread.value.value.outcome !== "sent") return unread;
  const body = await readFileBody(extractor, document.body, context);
  if (!body.ok) return body;
  const live = await findLiveDatasource(handler, context, document.datasource);
  if (!live.ok) return live;
  if (live.value.datasource.datasourceId !== datasource.datasourceId)
    return failed({ type: "DatasourceNotFound", datasource: document.datasource });
  const isOvertaken = (position: Position | null): boolean => position !== decidedAt;
  return decideDocument(handler, context, live.value.datasource, { ...document, body: body.value }, isOvertaken);
}

/** `isOvertaken` is told where the document stands; where it is true, nothing is written. */
function decideDocument(
  handler: CommandHandler,
  context: CommandContext,
  datasource: Datasource,
  document: ReadDocument,
  isOvertaken: (position: Position | null) => boolean | undefined = () => false,
): CommandResult<IndexedDocument> {
  return handler.handle<DocumentState, DocumentEvent, IndexedDocument>({
    aggregate: documentAggregate,
    stream: documentStream(datasource.datasourceId, document.documentId),
    context,
    decide(state, position) {
      if (isOvertaken(position) === true) return ok({ events: [], value: overtakenOutcome(document) });
      return decideOn(state, context, datasource, document);
    },
  });
}

function decideOn(
  state: DocumentState,
  context: CommandContext,
  datasource: Datasource,
  document: ReadDocument,
): Result<Decided<DocumentEvent, IndexedDocument>, Rejection> {
  const decision = decide({ type: "IndexDocument", datasource, document }, state);
  if (!decision.ok) return decision;
  const events = decision.value;
  const widens = events.some(({ type, data }) => type === "DocumentIndexed" && data.widenedToAnonymous);
  if (widens && context.neverWidens === true) return failed({ type: "WouldWiden", documentId: document.documentId });
  return ok(withText(document, events, indexOutcome(document, datasource, state, { events, ...context })));
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
