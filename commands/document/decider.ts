import { match } from "ts-pattern";
import type {
  ContentReference,
  DocumentDeleted,
  DocumentEvent,
  DocumentIndexed,
  FileFacts,
} from "../../src/events/document.js";
import { contentReference } from "../../src/events/contents.js";
import type { Datasource } from "../../src/events/datasource.js";
import { carriedString } from "../../src/shared/carriedText.js";
import type { DatasourceId, DatasourceName, DocumentId } from "../../src/shared/ids.js";
import { isSameInstant } from "../../src/shared/instant.js";
import { ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import type { UnclaimedText } from "../ports.js";
import { isSameAccess, toDocumentAccess } from "./access.js";
import { checkCustomProperties, documentSchemaOf, bindToSub } from "./documentSchema.js";
import { type IndexDocument, type DocumentWithText, skipReason, withdrawn } from "./indexing.js";

type Version = DocumentIndexed["data"];
type Defaults = Pick<Datasource, "defaultAccess">;

/** The document as it was last indexed; null where there is none, or it was deleted. */
export type DocumentState = Version | null;

export type DocumentCommand =
  | { readonly type: "IndexDocument"; readonly datasource: Datasource; readonly document: DocumentWithText }
  | {
      readonly type: "DeleteDocument";
      readonly datasourceId: DatasourceId;
      readonly datasource: DatasourceName;
      readonly documentId: DocumentId;
    }
  | { readonly type: "WithdrawText"; readonly text: UnclaimedText };

export const initialState = (): DocumentState => null;

/** The newest event is the state: none before it counts. */
export function evolve(_state: DocumentState, event: DocumentEvent): DocumentState {
  return match(event)
    .returnType<DocumentState>()
    .with({ type: "DocumentIndexed" }, ({ data }) => data)
    .with({ type: "DocumentDeleted" }, () => null)
    .exhaustive();
}

/** A document that is already indexed, or that the pipeline does not take, leads to no events. */
export function decide(command: DocumentCommand, state: DocumentState): Decision<DocumentEvent> {
  return match(command)
    .returnType<Decision<DocumentEvent>>()
    .with({ type: "IndexDocument" }, ({ datasource, document }) => index(datasource, document, state))
    .with({ type: "WithdrawText" }, ({ text }) => ok(withdrawn(text, state)))
    .with({ type: "DeleteDocument" }, ({ datasourceId, datasource, documentId }) =>
      ok(deleted(datasourceId, datasource, documentId, state)),
    )
    .exhaustive();
}

/**
 * True where the same id stands in the index with the same instant of `last_modified` and the same access (spec:
 * Documents, rule 5).
 */
export function isAlreadyIndexed(document: IndexDocument, { defaultAccess }: Defaults, state: DocumentState): boolean {
  if (state === null || state.lastModified === null || document.lastModified === null) return false;
  const access = toDocumentAccess(document.access, defaultAccess);
  return isSameInstant(document.lastModified, state.lastModified) && isSameAccess(access, state.access);
}

function index(datasource: Datasource, document: DocumentWithText, previous: DocumentState): Decision<DocumentEvent> {
  const schema = documentSchemaOf(datasource);
  const customProperties = checkCustomProperties(document, schema);
  if (!customProperties.ok) return customProperties;
  const binding = bindToSub(document, schema);
  if (!binding.ok) return binding;
  const { body } = document;
  if (body.kind === "unextractable" || skipReason(body) !== null || isAlreadyIndexed(document, datasource, previous))
    return ok([]);
  const content = body.content ?? contentReference(carriedString(body.text));
  const access = toDocumentAccess(document.access, datasource.defaultAccess);
  const data: Version = {
    datasourceId: datasource.datasourceId,
    datasource: document.datasource,
    documentId: document.documentId,
    title: document.title,
    content,
    mimeType: body.mimeType,
    size: body.size,
    fileType: document.fileType,
    pathPreview: document.pathPreview,
    path: document.path,
    ...fromFile(document, body.file),
    lastModified: document.lastModified,
    sub: binding.value.sub,
    childSub: binding.value.childSub,
    access,
    customProperties: customProperties.value,
    supersededContent: supersededBy(content, previous),
    widenedToAnonymous: previous !== null && access.anonymous && !previous.access.anonymous,
  };
  return ok([{ type: "DocumentIndexed", data }]);
}

/** What a file says of itself. Its author counts where the client named none. */
const fromFile = ({ author }: DocumentWithText, file: FileFacts | undefined): Pick<Version, "author" | "file"> =>
  file === undefined ? { author } : { author: author ?? file.author ?? null, file };

const supersededBy = (content: ContentReference, previous: DocumentState): ContentReference | null =>
  previous === null || previous.content.sha256 === content.sha256 ? null : previous.content;

function deleted(
  datasourceId: DatasourceId,
  datasource: DatasourceName,
  documentId: DocumentId,
  state: DocumentState,
): DocumentDeleted[] {
  if (state === null) return [];
  const data = { datasourceId, datasource, documentId, supersededContent: state.content };
  return [{ type: "DocumentDeleted", data }];
}

export const documentAggregate: Aggregate<DocumentState, DocumentEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
  latestKnownEvent: true,
};
