import { setImmediate as nextTurn } from "node:timers/promises";
import { match } from "ts-pattern";
import type { Datasource } from "../../src/events/datasource.js";
import type {
  ContentReference,
  DocumentEvent,
  DocumentIndexed,
  FileFacts,
  FilePart,
} from "../../src/events/document.js";
import type { CommandContext, CommandResult, Written } from "../command.js";
import type { CommandServices } from "../services.js";
import { isAlreadyIndexed, type DocumentState, decide, documentAggregate } from "./decider.js";
import {
  type IndexedDocument,
  type DocumentWithText,
  skipReason,
  type IndexDocument,
  type FileBody,
  type DocumentText,
} from "./indexing.js";
import { datasourceStream, documentStream } from "../../src/events/streams.js";
import type { DocumentId, DatasourceName } from "../../src/shared/ids.js";
import { datasourceAggregate } from "../datasource/decider.js";
import { type CommandHandler, replyWith, type Decided } from "../handleCommand.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { findLiveDatasource, type LiveDatasource } from "../datasource/liveDatasource.js";
import { laterOf, type Position } from "../../src/shared/position.js";
import type { Rejection } from "../rejection.js";
import { notStorable } from "../../src/shared/texts.js";
import { contentReference } from "../../src/events/contents.js";
import { remarkOnNobody } from "./access.js";
import { parseInstant } from "../../src/shared/instant.js";
import type { Asker, Extraction, TextExtractor, UnclaimedText } from "../ports.js";

const sent = "document sent to the indexing pipeline.";
const widened = "It was restricted before; now every user registered on the datasource can see it.";
const wouldBeSent = "Nothing was written: the document would be sent to the indexing pipeline.";
const wouldBeWidened = "It is restricted; every user registered on the datasource would see it.";
const noText = "The file holds no text that can be read: it is found by its title and properties.";
const cutAfter = (bytes: number): string =>
  `The text of the file is longer than what is kept of one: it was cut after ${bytes} bytes, and what follows is not found.`;

const notRecognized = (pages: number): string =>
  `The text of ${pages === 1 ? "one page" : `${pages} pages`} was not recognized within EXTRACTION_TIMEOUT_MS.`;

const overtaken =
  "While the file was read, a later push or deletion of the document was taken: that one stands. Send the file again if it is to replace that one.";

const forNobody = "It carries no permissions, and the datasource's default_access is nobody: nobody sees it.";

/** What a decision came to, and whether it is carried out. */
interface DecidedIndexing extends Pick<CommandContext, "dryRun"> {
  readonly events: readonly DocumentEvent[];
}

/** What a client is told of an accepted document (spec: Document index result). */
export function indexOutcome(
  document: DocumentWithText,
  datasource: Pick<Datasource, "defaultAccess">,
  previous: DocumentState,
  { events, dryRun = false }: DecidedIndexing,
): IndexedDocument {
  const { documentId } = document;
  const [event] = events;
  if (event?.type === "DocumentIndexed") return { documentId, outcome: "sent", message: sentMessage(event, dryRun) };
  if (isAlreadyIndexed(document, datasource, previous)) {
    return {
      documentId,
      outcome: "already_indexed",
      message: "last_modified and permissions are unchanged: the indexed version stays.",
    };
  }
  const reason = skipReason(document.body) ?? "The pipeline did not take the document.";
  return {
    documentId,
    outcome: "skipped",
    message: previous === null ? reason : `${reason} The version indexed before stays.`,
  };
}

function sentMessage(
  { data: { access, widenedToAnonymous, content, file } }: DocumentIndexed,
  dryRun: boolean,
): string {
  const [plainly, openly] = dryRun ? [wouldBeSent, wouldBeWidened] : [sent, widened];
  return [
    plainly,
    ...(widenedToAnonymous ? [openly] : []),
    ...(file === undefined ? [] : remarksOnFile(file, content)),
    ...(access.isDefault === true && !access.anonymous ? [forNobody] : []),
  ].join(" ");
}

function remarksOnFile(file: FileFacts, { bytes }: ContentReference): readonly string[] {
  return [
    ...(bytes === 0 ? [noText] : file.truncated === true ? [cutAfter(bytes)] : []),
    ...(file.unrecognizedPages === undefined ? [] : [notRecognized(file.unrecognizedPages)]),
    ...remarksOnParts(file.parts ?? []),
  ];
}

/** A message names so many files that were not read; the document's metadata names up to a hundred. */
const mostPartsNamed = 3;

function remarksOnParts(parts: readonly FilePart[]): readonly string[] {
  const unread = parts.filter((part) => part.unread !== undefined);
  if (unread.length === 0) return [];
  const count = unread.length === 1 ? "One file in it was" : `${unread.length} files in it were`;
  const named = unread
    .slice(0, mostPartsNamed)
    .map(({ name, unread: why }) => `${name || "one without a name"}: ${why}`);
  return [`${count} not read. ${named.join(" ")}${unread.length > mostPartsNamed ? " …" : ""}`];
}

/** What a client is told of a file that was read too late. */
const overtakenOutcome = ({ documentId }: DocumentWithText): IndexedDocument => ({
  documentId,
  outcome: "skipped",
  message: overtaken,
});

/** One registration of a datasource name. */
type Incarnation = Pick<Datasource, "datasourceId" | "name">;

/**
 * A datasource and its documents are different streams, so a document can be written just after its datasource's
 * incarnation was closed. Then it is deleted again, so that its text does not outlive the incarnation. True where that
 * happened: to the client, there was no such datasource.
 */
async function withdrawIfClosed(
  handler: CommandHandler,
  context: CommandContext,
  incarnation: Incarnation,
  written: readonly DocumentId[],
): Promise<boolean> {
  const { state } = await handler.read(datasourceAggregate, datasourceStream(incarnation.name));
  if (state?.datasourceId === incarnation.datasourceId) return false;
  await Promise.all(written.map((documentId) => handleDeletion(handler, context, incarnation, documentId)));
  return true;
}

/** Indexes a single document: what is wrong with it is a rejection (spec: POST /documents). */
export async function indexDocument(
  services: CommandServices,
  document: IndexDocument,
  context: CommandContext,
): CommandResult<IndexedDocument> {
  const { handler } = services;
  const live = await findLiveDatasource(handler, context, document.datasource);
  if (!live.ok) return live;
  const { datasource } = live.value;
  const indexed = await handleIndexing(services, context, datasource, document);
  if (!indexed.ok) return indexed;
  const { value, position } = indexed.value;
  if (value.outcome === "sent" && (await withdrawIfClosed(handler, context, datasource, [document.documentId]))) {
    return failed({ type: "DatasourceNotFound", datasource: document.datasource });
  }
  return ok({ value, position });
}

type DatasourcesFound = ReadonlyMap<DatasourceName, Result<LiveDatasource, Rejection>>;
type Indexed = Result<Written<IndexedDocument>, Rejection>;

/** How many documents are decided at once: enough to share commits, few enough not to hold an array in memory twice. */
const maxInFlight = 256;

/** How many documents are started before the event loop gets a turn: about a millisecond's work. */
const startsPerTurn = 32;

/**
 * Indexes an array of documents: one with an error gets a `failed` entry, and the others go on.
 * The answers come in the order of the documents. The later of two documents with one id is decided after the earlier,
 * as if they were indexed one after the other (spec: Documents, rules 2 to 4).
 */
export async function indexDocuments(
  services: CommandServices,
  documents: readonly IndexDocument[],
  context: CommandContext,
): Promise<Written<readonly IndexedDocument[]>> {
  const { handler } = services;
  const found = await findDatasources(handler, context, documents);
  const indexOne = async (document: IndexDocument): Promise<Indexed> => {
    const live =
      found.get(document.datasource) ?? failed({ type: "DatasourceNotFound", datasource: document.datasource });
    return live.ok ? handleIndexing(services, context, live.value.datasource, document) : live;
  };
  const holdsFiles = documents.some(({ body }) => body.kind === "file");
  const indexed = await startInOrder(documents, holdsFiles ? afterEarlier(indexOne) : indexOne);
  const closed = await withdrawFromClosed(handler, context, found, documents, indexed);
  return summarize(
    documents,
    closed.size === 0 ? indexed : indexed.map((one, index) => refuseIfClosed(one, documents[index], closed)),
    found,
  );
}

/** Each datasource is looked up once: the documents of one request are decided on the same properties and subs. */
async function findDatasources(
  handler: CommandHandler,
  context: CommandContext,
  documents: readonly IndexDocument[],
): Promise<DatasourcesFound> {
  const names = [...new Set(documents.map(({ datasource }) => datasource))];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await findLiveDatasource(handler, context, name)] as const)),
  );
}

/** Lets documents of one id wait for each other: a file takes its time before it is decided. */
function afterEarlier<Value>(start: (document: IndexDocument) => Promise<Value>): typeof start {
  const earlier = new Map<string, Promise<unknown>>();
  return (document) => {
    const id = `${document.datasource}/${document.documentId}`;
    const turn = (earlier.get(id) ?? Promise.resolve()).then(() => start(document));
    earlier.set(id, turn);
    return turn;
  };
}

/**
 * Starts the items in their order, so that documents of one id are decided in it, and returns the results in it.
 * Workers take their items one by one: a library that queues every item first would hold up the event loop for a long
 * array. Where one rejects, no other is started.
 */
async function startInOrder<Item, Value>(
  items: readonly Item[],
  start: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const rest = items.entries();
  let turn = Promise.resolve();
  let isRejected = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (isRejected) return;
      if (index > 0 && index % startsPerTurn === 0) turn = turn.then(() => nextTurn());
      await turn;
      results[index] = await start(item).catch((error: unknown) => {
        isRejected = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, worker));
  return results;
}

/** The datasources that were deleted meanwhile; what was written to them is withdrawn. */
async function withdrawFromClosed(
  handler: CommandHandler,
  context: CommandContext,
  found: DatasourcesFound,
  documents: readonly IndexDocument[],
  indexed: readonly Indexed[],
): Promise<ReadonlySet<DatasourceName>> {
  const closed = new Set<DatasourceName>();
  for (const [name, live] of found) {
    if (!live.ok) continue;
    const written = documents
      .filter(({ datasource }, index) => datasource === name && isSent(indexed[index]))
      .map(({ documentId }) => documentId);
    if (written.length > 0 && (await withdrawIfClosed(handler, context, live.value.datasource, written)))
      closed.add(name);
  }
  return closed;
}

const isSent = (one: Indexed | undefined): boolean => one?.ok === true && one.value.value.outcome === "sent";

function refuseIfClosed(
  one: Indexed,
  document: IndexDocument | undefined,
  closed: ReadonlySet<DatasourceName>,
): Indexed {
  const isWithdrawn = document !== undefined && closed.has(document.datasource) && isSent(one);
  return isWithdrawn ? failed({ type: "DatasourceNotFound", datasource: document.datasource }) : one;
}

function summarize(
  documents: readonly IndexDocument[],
  indexed: readonly Indexed[],
  found: DatasourcesFound,
): Written<readonly IndexedDocument[]> {
  let position: Position | null = null;
  const see = (seen: Position | null): void => {
    if (seen !== null) position = position === null ? seen : laterOf(position, seen);
  };
  for (const live of found.values()) if (live.ok) see(live.value.position);
  const value = indexed.map((one, index) => {
    if (!one.ok) return failedEntry(documents[index]?.documentId, one.error);
    see(one.value.position);
    return one.value.value;
  });
  return { value, position };
}

const failedEntry = (documentId: DocumentId | undefined, rejection: Rejection): IndexedDocument => ({
  documentId: documentId as DocumentId,
  outcome: "failed",
  message: failureMessage(rejection),
});

/** Tells, in the array form, why one document failed (spec: Documents, rule 4). */
export function failureMessage(rejection: Rejection): string {
  return match(rejection)
    .with(
      { type: "DatasourceNotFound" },
      ({ datasource }) => `Datasource "${datasource}" does not exist: register it first.`,
    )
    .with(
      { type: "DatasourceForbidden" },
      ({ datasource }) => `This service account is not allowed to use datasource "${datasource}".`,
    )
    .with({ type: "DocumentSchemaViolation" }, ({ code, message }) => `${code}: ${message}`)
    .with(
      { type: "TooLarge" },
      ({ bytes, maxBytes }) =>
        `The document's permissions and properties come to ${bytes} bytes, and at most ${maxBytes} can be recorded: name groups instead of single users.`,
    )
    .with(
      { type: "WouldWiden" },
      () => "The document is restricted, and every registered user would see it: nothing was written.",
    )
    .with({ type: "FileUnstorable" }, () => `body.binary_base64: Value error, ${notStorable}.`)
    .with({ type: "TooMuchContention" }, () => "Other writers kept changing this document: send it again.")
    .otherwise(({ type }) => `The document was refused: ${type}.`);
}

interface DeleteDocument {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/** Deletes a document; one that does not exist is deleted already (spec: States and transitions). */
export async function deleteDocument(
  { handler }: CommandServices,
  { datasource, documentId }: DeleteDocument,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const deleted = await handleDeletion(handler, context, live.value.datasource, documentId);
  return deleted.ok ? ok({ ...deleted.value, value: null }) : deleted;
}

/**
 * Deletes one document of a datasource incarnation; no event where there is none, or where it was written after
 * `unlessAfter`. True where it was deleted.
 */
export function handleDeletion(
  handler: CommandHandler,
  context: CommandContext,
  incarnation: Incarnation,
  documentId: DocumentId,
  unlessAfter: Position | null = null,
): CommandResult<boolean> {
  const { datasourceId, name: datasource } = incarnation;
  return handler.handle({
    aggregate: documentAggregate,
    stream: documentStream(datasourceId, documentId),
    context,
    decide(state, position) {
      if (unlessAfter !== null && position !== null && position > unlessAfter) return ok({ events: [], value: false });
      const decision = decide({ type: "DeleteDocument", datasourceId, datasource, documentId }, state);
      return replyWith(decision, decision.ok && decision.value.length > 0);
    },
  });
}

type Services = Pick<CommandServices, "handler" | "extractor" | "fileTurns" | "productName">;

/**
 * Indexes one document into a datasource incarnation. Where two calls have one id, the later counts
 * (docs/design/files-and-extraction.md).
 */
async function handleIndexing(
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
 * The service does not read a file whose document would be refused or skipped whatever its text. It reads any other
 * file outside the log's queues. Then the command decides again, on the datasource as it is by then, and writes nothing
 * if somebody has written to the document meanwhile.
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
    { ...document, body: emptyTextOf(document.body) },
    // Never overtaken: this notes where the document stood.
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

/** `isOvertaken` gets the position of the document's newest event. If it returns true, the command writes nothing. */
function decideDocument(
  handler: CommandHandler,
  context: CommandContext,
  datasource: Datasource,
  document: DocumentWithText,
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
  document: DocumentWithText,
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
  document: DocumentWithText,
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

const longestAuthor = 512;
const emptyContent = contentReference("");

/** Stands in for the text of a file that is not read yet. The decision to read the file does not depend on it. */
const emptyTextOf = ({ mimeType, bytes }: FileBody): DocumentText => ({
  kind: "text",
  text: "",
  content: emptyContent,
  mimeType,
  size: bytes.byteLength,
});

/** Takes the text out of a file. The files of one asker wait for each other. */
async function readFileBody(
  extractor: TextExtractor,
  { bytes, mimeType, charset, name, isText }: FileBody,
  asker: Asker,
): Promise<Result<DocumentText, Rejection>> {
  const form = isText && ({ form: "typed" } as const);
  const extraction = await extractor.extract({ content: bytes, mimeType, charset, name, ...form }, asker);
  if (isText === true) return ok(textWithoutMarkup(extraction, bytes, mimeType));
  switch (extraction.kind) {
    case "unstorable":
      return failed({ type: "FileUnstorable" });
    case "unextractable":
      return ok({ ...extraction, mimeType });
    case "text":
      return ok(textBody(extraction, bytes.byteLength));
  }
}

/** A text whose markup cannot be read is indexed as it was sent. */
function textWithoutMarkup(extraction: Extraction, bytes: Uint8Array, mimeType: string): DocumentText {
  const size = bytes.byteLength;
  if (extraction.kind !== "text") return { kind: "text", text: Buffer.from(bytes).toString(), mimeType, size };
  const { text, content } = extraction;
  return { kind: "text", text, mimeType, size, ...(content && { content }) };
}

function textBody(
  { text, content, facts }: Extract<Extraction, { readonly kind: "text" }>,
  size: number,
): DocumentText {
  const { author, modifiedAt, ...others } = facts;
  // A file's author is not to be trusted to be short.
  const file = {
    ...others,
    ...(author !== undefined && { author: author.slice(0, longestAuthor) }),
    ...(modifiedAt !== undefined && parseInstant(modifiedAt) !== null && { modifiedAt }),
  };
  return { kind: "text", text, mimeType: facts.mimeType, size, file, ...(content && { content }) };
}

/**
 * Withdraws a text whose event never came, unless that event has come by now. The withdrawal is itself an event of the
 * document, appended at the document's revision: an append that was under way all the time, with an event that refers
 * to the text, then conflicts and starts anew, its text included. The withdrawn text is erased like any other that was
 * superseded (docs/design/log.md). No client can ask for this.
 */
export function withdrawText(
  { handler }: CommandServices,
  text: UnclaimedText,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: documentAggregate,
    stream: text.stream,
    context,
    decide: (state) => replyWith(decide({ type: "WithdrawText", text }, state), null),
  });
}
