import type { AskInventory, InventoryPage } from "../../audit/auditQueries.js";
import { toDatasourceName, toGroupName } from "../../shared/ids.js";
import type { ApiContext } from "../apiContext.js";
import { toRefusal, valueOf } from "../envelopes.js";
import {
  documentsAnswer,
  groupsAnswer,
  listQuery,
  prefixedListQuery,
  membersAnswer,
  toDocumentsAnswer,
  toGroupsAnswer,
  toMembersAnswer,
  toUsersAnswer,
  usersAnswer,
  type ListParameters,
} from "../messages/inventory.js";
import { mayUse, requireDatasource } from "../middleware/authentication.js";
import { RefusedRequest } from "../refusedRequest.js";
import { route } from "../route.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource } from "./descriptions.js";

const access = "serviceAccount";
const failures = {
  403: forbidden,
  404: notFoundDatasource,
  503: "What is listed does not reflect the whole log, or an event of the datasource could not be applied; see Retry-After.",
};
const asOfNow =
  "Our own addition. It reflects every write that was answered before. Pages are in the order of their keys, each as of its own moment.";

/** A page of what a datasource holds now, where the caller may use it. */
export async function listHeld(
  context: ApiContext,
  datasource: string,
  of: AskInventory["of"],
  { after, count }: ListParameters,
): Promise<InventoryPage> {
  const name = toDatasourceName(datasource);
  await requireDatasource(context, name);
  const { atLeast } = context.state;
  const listed = valueOf(await context.services.audit.inventory({ datasource: name, of, after, count, atLeast }));
  // The list is of the end of the log, and the catalogue, which was asked before, may not have come so far.
  if (!mayUse(context, { name, datasourceId: listed.datasourceId }))
    throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource: name }));
  return listed;
}

const listUsers = route({
  method: "GET",
  path: "/api/indexing/users/{datasource}",
  access,
  params: [datasourceInPath],
  query: prefixedListQuery,
  isConsistent: true,
  async handle(context, { params: { datasource }, query }) {
    const of = { kind: "users", prefix: query.prefix.toLowerCase() } as const;
    context.body = toUsersAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag: "Users",
    summary: "List the users of a datasource",
    description: `By email. ${asOfNow}`,
    success: {
      description: "A page.",
      schema: usersAnswer,
      example: { users: [{ email: "ada@example.org", name: "Ada" }], next: null },
    },
    failures,
  },
});

const listGroups = route({
  method: "GET",
  path: "/api/indexing/groups/{datasource}",
  access,
  params: [datasourceInPath],
  query: prefixedListQuery,
  isConsistent: true,
  async handle(context, { params: { datasource }, query }) {
    const of = { kind: "groups", prefix: query.prefix } as const;
    context.body = toGroupsAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag: "Groups",
    summary: "List the groups of a datasource",
    description: `By name. ${asOfNow}`,
    success: { description: "A page.", schema: groupsAnswer, example: { groups: [{ name: "staff" }], next: null } },
    failures,
  },
});

const listMembers = route({
  method: "GET",
  path: "/api/indexing/groups/{datasource}/{group_name}/members",
  access,
  params: [datasourceInPath, groupInPath],
  query: listQuery,
  isConsistent: true,
  async handle(context, { params: { datasource, group_name }, query }) {
    const of = { kind: "members", group: toGroupName(group_name) } as const;
    context.body = toMembersAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag: "Groups",
    summary: "List the direct members of a group",
    description: `Groups first, then users. ${asOfNow}`,
    success: {
      description: "A page.",
      schema: membersAnswer,
      example: { members: [{ member_email: "ada@example.org" }], next: null },
    },
    failures: { ...failures, 404: "The datasource or the group does not exist." },
  },
});

const listDocuments = route({
  method: "GET",
  path: "/api/indexing/documents/{datasource}",
  access,
  params: [datasourceInPath],
  query: prefixedListQuery,
  isConsistent: true,
  async handle(context, { params: { datasource }, query }) {
    const of = { kind: "documents", prefix: query.prefix } as const;
    context.body = toDocumentsAnswer(await listHeld(context, datasource, of, query));
  },
  description: {
    tag: "Documents",
    summary: "List the documents of a datasource",
    description: `By id, with what a connector needs to know what has changed. ${asOfNow}`,
    success: {
      description: "A page.",
      schema: documentsAnswer,
      example: {
        documents: [
          {
            ...{ id: "travel-2024.md", title: "Travel expenses" },
            ...{ last_modified: "2024-05-01T09:30:00Z", state: "searchable" },
          },
        ],
        next: null,
      },
    },
    failures,
  },
});

/** What a datasource holds, for connectors. */
export const inventoryRoutes = [listUsers, listGroups, listMembers, listDocuments];
