import { json } from "typia";
import { readModelNames } from "../events/projection.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../shared/ids.js";
import { valueOf } from "../http/envelopes.js";
import { groupsAnswer, listQuery, toContainingGroupsAnswer, inventoryRoutes, listHeld } from "./inventory.js";
import { route, type DescribedRoute } from "../http/route.js";
import { datasourceRoutes, fileTypeRoutes } from "./datasources.js";
import {
  datasourceInPath,
  documentIdInPath,
  emailInPath,
  groupInPath,
  notFoundDatasource,
} from "../http/pathParameters.js";
import { documentRoutes } from "./documents.js";
import { groupRoutes } from "./groups.js";
import { membershipRoutes } from "./memberships.js";
import { userRoutes } from "./users.js";
import type { DatasourceCounts, IndexedDocumentState } from "../audit/auditQueries.js";
import { answerMessage } from "../http/validation/message.js";
import type { DocumentAccess } from "../events/document.js";
import type { ParkedAnswer } from "../operations/parked/parkedEvents.js";
import { inUtc } from "../shared/instant.js";
import type { Access } from "../http/access.js";

const indexing = "/api/indexing/";
const admin = "/api/admin/";

/** The people who may call the routes of administrators. */
const administrators = "administrator" satisfies Access;

/**
 * Routes of the Indexing API once more, under `/api/admin/`: it takes service accounts alone, and people who administer
 * datasources have none. They do the same, and a change is tried as the request that it repeats.
 */
const forAdministrators = (routes: readonly DescribedRoute[]): readonly DescribedRoute[] =>
  routes.map(({ whyNotTried: _whyNotTried, ...indexingRoute }) => ({
    ...indexingRoute,
    path: indexingRoute.path.replace(indexing, admin),
    access: administrators,
    description: {
      ...indexingRoute.description,
      tag: "Administration",
      summary: `${indexingRoute.description.summary}, as an administrator`,
      description: [
        `What \`${indexingRoute.method} ${indexingRoute.path}\` does.`,
        indexingRoute.description.description,
      ]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
    },
  }));

/** An event, as the state of a document names it. */
interface ReceivedAnswer {
  /** Its position in the log. */
  position: string;
  time: string;
  by: string;
}

/** The facts that were read from a document's file or text. */
interface ReadAnswer {
  /** For a file, the type that its content shows. */
  mime_type: string;
  /** The type that the client declared, where the content shows another. */
  declared_mime_type?: string;
  /** Bytes of the body as it was sent. */
  size: number;
  /** Bytes of the text; 0 where there was nothing to read, as in a scan without OCR. */
  text_bytes: number;
  is_file: boolean;
  page_count?: number;
  ocr_used?: true;
  /** The text was longer than what is kept of one. */
  truncated?: true;
}

/** An event of the document that could not be projected. */
interface ParkedReasonAnswer {
  /** The read model that could not. */
  projection: string;
  position: string;
  reason: string;
}

/** Answer of `GET /api/admin/documents/{datasource}/{document_id}`. */
interface DocumentStateAnswer {
  datasource: string;
  document_id: string;
  title: string;
  /**
   * `queued`: it is in the log, and search has not come so far; `searchable`; `parked`: a read model could not apply an
   * event of it, and nobody sees it until an operator has it applied again.
   */
  state: "queued" | "searchable" | "parked";
  /** Why it is parked; empty where it is not. */
  parked: ParkedReasonAnswer[];
  /** The event by which it was last indexed. */
  received: ReceivedAnswer;
  /** The event since which it is there without a break. */
  first_received: ReceivedAnswer | null;
  read: ReadAnswer;
  file_type: string;
  path: string | null;
  path_preview: string | null;
  author: string | null;
  last_modified: string | null;
  data_source_sub: string | null;
  data_source_sub_sub: string | null;
  custom_properties: { name: string; value: string | number | boolean }[];
  permissions: {
    allow_anonymous_access: boolean;
    allowed_users: string[];
    allowed_groups: string[];
    /** None were sent, so that the datasource's `default_access` decided. */
    is_default: boolean;
  };
  /** The document's stream of events. */
  stream: string;
}

const documentStateAnswer = answerMessage(json.schema<DocumentStateAnswer>());

/** What is known of a document, in the words in which it was pushed. */
function toDocumentStateAnswer(
  { document, received, firstReceived, state }: IndexedDocumentState,
  parked: readonly ParkedAnswer[],
): DocumentStateAnswer {
  const faults = parked.flatMap(({ projection, parked: events }) =>
    events
      .filter(({ stream }) => stream === received.stream)
      .map(({ position, error: reason }) => ({ projection, position, reason })),
  );
  const { datasource, documentId, title, access, customProperties } = document;
  const { fileType, path, pathPreview, author, lastModified, sub, childSub } = document;
  return {
    ...{ datasource, document_id: documentId, title },
    state: faults.length === 0 ? state : "parked",
    parked: faults,
    received: toReceived(received),
    first_received: firstReceived === null ? null : toReceived(firstReceived),
    read: toRead(document),
    ...{ file_type: fileType, path, path_preview: pathPreview, author },
    last_modified: lastModified === null ? null : inUtc(lastModified),
    ...{ data_source_sub: sub, data_source_sub_sub: childSub, custom_properties: [...customProperties] },
    permissions: toPermissions(access),
    stream: received.stream,
  };
}

const toReceived = ({ position, time, by }: IndexedDocumentState["received"]): ReceivedAnswer => ({
  position: String(position),
  time,
  by,
});

function toRead({ mimeType, size, content, file }: IndexedDocumentState["document"]): ReadAnswer {
  return {
    ...{ mime_type: mimeType, size, text_bytes: content.bytes, is_file: file !== undefined },
    ...(file?.declaredMimeType !== undefined && { declared_mime_type: file.declaredMimeType }),
    ...(file?.pageCount !== undefined && { page_count: file.pageCount }),
    ...(file?.ocrUsed === true && { ocr_used: true }),
    ...(file?.truncated === true && { truncated: true }),
  };
}

const toPermissions = ({
  anonymous,
  users,
  groups,
  isDefault,
}: DocumentAccess): DocumentStateAnswer["permissions"] => ({
  allow_anonymous_access: anonymous,
  allowed_users: [...users],
  allowed_groups: [...groups],
  is_default: isDefault === true,
});

/** How much a datasource holds. */
interface DatasourceCountsAnswer {
  counts: { datasource: string; users: number; groups: number; documents: number }[];
}

const datasourceCountsAnswer = answerMessage(json.schema<DatasourceCountsAnswer>());

/** The counts of every datasource, by name. */
const toDatasourceCountsAnswer = (counts: readonly DatasourceCounts[]): DatasourceCountsAnswer => ({
  counts: counts.map(({ datasource, users, groups, documents }) => ({ datasource, users, groups, documents })),
});

const tag = "Administration";
const notWhole =
  "What is told does not reflect the whole log, or an event of the datasource could not be applied; see Retry-After.";

const asOfNow = "It reflects every write that was answered before.";
const groupsExample = { groups: [{ name: "staff" }], next: null };

const listParents = route({
  method: "GET",
  path: "/api/admin/groups/{datasource}/{group_name}/parents",
  access: administrators,
  params: [datasourceInPath, groupInPath],
  query: listQuery,
  isConsistent: true,
  async handle(context, { params: { datasource, group_name }, query }) {
    const of = { kind: "parents", group: toGroupName(group_name) } as const;
    context.body = toContainingGroupsAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag,
    summary: "List the groups that a group is in",
    description: `Directly; in no order that means anything. ${asOfNow}`,
    success: { description: "A page.", schema: groupsAnswer, example: groupsExample },
    failures: { 404: "The datasource or the group does not exist.", 503: notWhole },
  },
});

const listGroupsOf = route({
  method: "GET",
  path: "/api/admin/users/{datasource}/{email}/groups",
  access: administrators,
  params: [datasourceInPath, emailInPath],
  query: listQuery,
  isConsistent: true,
  async handle(context, { params: { datasource, email }, query }) {
    const of = { kind: "groupsOf", email: toEmail(email) } as const;
    context.body = toContainingGroupsAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag,
    summary: "List the groups that a user is in",
    description: `Directly; in no order that means anything. ${asOfNow}`,
    success: { description: "A page.", schema: groupsAnswer, example: groupsExample },
    failures: { 404: "The datasource or the user does not exist.", 503: notWhole },
  },
});

const countHeld = route({
  method: "GET",
  path: "/api/admin/datasource-counts",
  access: administrators,
  async handle(context) {
    context.body = toDatasourceCountsAnswer(await context.services.audit.datasourceCounts());
  },
  description: {
    tag,
    summary: "Count what datasources hold",
    description:
      "Users, groups and documents of each, by its name: counted for each request, in a thread of its own, as far as the permission history has come.",
    success: {
      description: "Every datasource.",
      schema: datasourceCountsAnswer,
      example: { counts: [{ datasource: "handbook", users: 2, groups: 1, documents: 1 }] },
    },
  },
});

const stateExample: DocumentStateAnswer = {
  datasource: "handbook",
  document_id: "travel-2024.md",
  title: "Travel expenses",
  state: "searchable",
  parked: [],
  received: { position: "981", time: "2026-01-12T09:00:00.000Z", by: "9a41c7d0" },
  first_received: { position: "981", time: "2026-01-12T09:00:00.000Z", by: "9a41c7d0" },
  read: { mime_type: "text/markdown", size: 29, text_bytes: 29, is_file: false },
  file_type: "markdown",
  path: null,
  path_preview: "https://handbook.example.org/travel",
  author: null,
  last_modified: "2024-05-01T09:30:00Z",
  data_source_sub: "human_resources",
  data_source_sub_sub: null,
  custom_properties: [{ name: "owner", value: "Ada" }],
  permissions: {
    allow_anonymous_access: false,
    allowed_users: ["ada@example.org"],
    allowed_groups: ["staff"],
    is_default: false,
  },
  stream: "document-7c1e0a9b4d2f48a6b3e5:travel-2024.md",
};

const documentState = route({
  method: "GET",
  path: "/api/admin/documents/{datasource}/{document_id}",
  access: administrators,
  params: [datasourceInPath, documentIdInPath],
  isConsistent: true,
  async handle(context, { params: { datasource, document_id } }) {
    const { services, state } = context;
    const asked = { datasource: toDatasourceName(datasource), documentId: toDocumentId(document_id) };
    const document = valueOf(await services.audit.indexedDocument({ ...asked, atLeast: state.atLeast }));
    const parked = await Promise.all(readModelNames.map((name) => services.parked.list(name)));
    context.body = toDocumentStateAnswer(document, parked);
  },
  description: {
    tag,
    summary: "See how far a document has come",
    description: `Received, read, searchable, or parked and why; with what was read of its file and what it grants, and never its text. A push that was \`skipped\` or \`failed\` changes nothing and is not recorded: whoever pushed was told why. ${asOfNow}`,
    success: { description: "What is known of it.", schema: documentStateAnswer, example: stateExample },
    failures: { 404: `${notFoundDatasource} Or there is no such document.`, 503: notWhole },
  },
});

/** What connectors do, for people: all but pushing documents; and what shows them where things are. */
export const administrationRoutes = [
  ...forAdministrators([
    ...datasourceRoutes,
    ...fileTypeRoutes,
    ...documentRoutes.filter(({ method }) => method === "DELETE"),
    ...userRoutes,
    ...groupRoutes,
    ...membershipRoutes,
    ...inventoryRoutes,
  ]),
  listParents,
  listGroupsOf,
  countHeld,
  documentState,
];
