import { readModelNames } from "../../events/projection.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../../shared/ids.js";
import { valueOf } from "../envelopes.js";
import { administrators as access, forAdministrators } from "../forAdministrators.js";
import { datasourceCountsAnswer, toDatasourceCountsAnswer } from "../messages/datasourceCounts.js";
import { documentStateAnswer, toDocumentStateAnswer, type DocumentStateAnswer } from "../messages/documentState.js";
import { groupsAnswer, listQuery, toContainingGroupsAnswer } from "../messages/inventory.js";
import { route } from "../route.js";
import { datasourceRoutes } from "./datasources.js";
import { datasourceInPath, documentIdInPath, emailInPath, groupInPath, notFoundDatasource } from "./descriptions.js";
import { documentRoutes } from "./documents.js";
import { fileTypeRoutes } from "./fileTypes.js";
import { groupRoutes } from "./groups.js";
import { inventoryRoutes, listHeld } from "./inventory.js";
import { membershipRoutes } from "./memberships.js";
import { userRoutes } from "./users.js";

const tag = "Administration";
const notWhole =
  "What is told does not reflect the whole log, or an event of the datasource could not be applied; see Retry-After.";
const asOfNow = "It reflects every write that was answered before.";
const groupsExample = { groups: [{ name: "staff" }], next: null };

const listParents = route({
  method: "GET",
  path: "/api/admin/groups/{datasource}/{group_name}/parents",
  access,
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
  access,
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
  access,
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
  access,
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
