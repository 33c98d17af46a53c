import type { HeldDocument } from "../../../queries/ports.js";
import type { DocumentAccess, DocumentEvent, DocumentIndexed } from "../../events/document.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import {
  toDatasourceName,
  toDocumentId,
  toSearchId,
  type DatasourceId,
  type PrincipalToken,
} from "../../shared/ids.js";
import { beginning, type Position } from "../../shared/position.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { FoldedDatasources } from "./foldedDatasources.js";
import {
  unnamedIn,
  documentKey,
  type ExpectedDocument,
  type ExpectedSubject,
  type SubjectChoice,
} from "./expectedSubjects.js";
import { readLog, type LogStretch } from "./readLog.js";
import { LogShare, inShares, type SubjectBatch } from "./sampling.js";

interface DocumentReading {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly datasources: FoldedDatasources;
  readonly tokens: PrincipalTokens;
  readonly choice: SubjectChoice;
  /** What the index holds, named by the log or not. */
  held(): AsyncIterable<readonly HeldDocument[]>;
  /** How many documents one reading of the log may hold. */
  readonly maxHeld: number;
}

type Newest = LogShare<Position>;

/**
 * Every document that the log ever named. Only the position of each one's newest event is held; what the event says is
 * read again, so that memory does not grow with access lists.
 */
export const documentSubjects = (reading: DocumentReading): AsyncGenerator<SubjectBatch<ExpectedSubject>> =>
  inShares(
    reading.choice.part,
    (from) => gatherNewest(reading, from),
    (newest) => statesOf(reading, newest),
  );

async function gatherNewest({ stretch, datasources, choice, maxHeld }: DocumentReading, from: number): Promise<Newest> {
  const newest: Newest = new LogShare(choice.seed, from, choice.part, maxHeld);
  for await (const events of documentEvents(stretch)) {
    for (const { event, position } of events) {
      const key = documentKey(event.data.datasource, event.data.documentId);
      if ((choice.only !== null && !choice.only.has(key)) || !newest.covers(key)) continue;
      const known = newest.values.get(key);
      newest.values.set(key, datasources.isLive(event.data.datasourceId) ? position : (known ?? beginning));
      if (known === undefined) newest.add(1);
    }
  }
  return newest;
}

async function* statesOf(
  { stretch, datasources, tokens, choice, held }: DocumentReading,
  newest: Newest,
): AsyncGenerator<readonly ExpectedSubject[]> {
  const { values } = newest;
  const isUnnamed = unnamedIn(newest, choice);
  for await (const documents of held()) {
    const unnamed = documents.filter(({ datasource, documentId }) => isUnnamed(documentKey(datasource, documentId)));
    yield unnamed.map((document) => unnamedDocument(document, datasources));
  }
  for await (const events of documentEvents(stretch)) {
    const subjects: ExpectedSubject[] = [];
    for (const recorded of events) {
      const { datasource, documentId } = recorded.event.data;
      const key = documentKey(datasource, documentId);
      if (values.get(key) !== recorded.position) continue;
      values.delete(key);
      subjects.push({
        kind: "document",
        datasource,
        documentId,
        incarnations: datasources.incarnationsOf(datasource),
        expected: stateAfter(recorded, datasources, tokens),
      });
    }
    yield subjects;
  }
  yield Array.from(values.keys(), (key) => goneDocument(key, datasources));
}

/** A document that is known only from incarnations that are gone. */
function goneDocument(key: string, datasources: FoldedDatasources): ExpectedSubject {
  const at = key.indexOf("/");
  const datasource = toDatasourceName(key.slice(0, at));
  return {
    kind: "document",
    datasource,
    documentId: toDocumentId(key.slice(at + 1)),
    incarnations: datasources.incarnationsOf(datasource),
    expected: null,
  };
}

/** A document that is held, and of which the log says nothing; not even of its datasource, perhaps. */
const unnamedDocument = (
  { datasourceId, datasource, documentId }: HeldDocument,
  datasources: FoldedDatasources,
): ExpectedSubject => ({
  ...{ kind: "document", datasource, documentId, expected: null },
  incarnations: [...new Set([...datasources.incarnationsOf(datasource), datasourceId])],
});

function stateAfter(
  { event, position, metadata }: RecordedEvent<DocumentEvent>,
  datasources: FoldedDatasources,
  tokens: PrincipalTokens,
): ExpectedDocument | null {
  if (event.type === "DocumentDeleted") return null;
  const { datasourceId, datasource, documentId, sub, childSub, content, access } = event.data;
  return {
    datasourceId,
    details: {
      ...shownFields(event.data),
      id: toSearchId(datasource, documentId),
      indexedAt: metadata.at,
      ...datasources.boundSubs(datasource, sub, childSub, position),
    },
    text: content.sha256,
    tokens: accessList(datasourceId, access, tokens),
  };
}

/** Spec: Visibility rules, 2 and 3. */
const accessList = (
  datasourceId: DatasourceId,
  { anonymous, users, groups }: DocumentAccess,
  tokens: PrincipalTokens,
): readonly PrincipalToken[] => [
  ...(anonymous ? [tokens.anonymous(datasourceId)] : []),
  ...users.map((email) => tokens.user(datasourceId, email)),
  ...groups.map((group) => tokens.group(datasourceId, group)),
];

function shownFields({
  title,
  datasource,
  fileType,
  path,
  pathPreview,
  author,
  lastModified,
  mimeType,
  size,
  customProperties,
  file,
}: DocumentIndexed["data"]) {
  const shown = { title, datasource, fileType, path, pathPreview, author, mimeType, size };
  return { ...shown, lastModified: lastModified ?? file?.modifiedAt ?? null, customProperties, ...(file && { file }) };
}

const documentEvents = (stretch: DocumentReading["stretch"]): AsyncGenerator<readonly RecordedEvent<DocumentEvent>[]> =>
  readLog({ ...stretch, categories: ["document"] }) as AsyncGenerator<readonly RecordedEvent<DocumentEvent>[]>;
