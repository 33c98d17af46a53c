import { json, type tags } from "typia";
import type { AskInventory, InventoryPage, InventoryItem } from "../audit/auditQueries.js";
import { toDatasourceName, toGroupName } from "../shared/ids.js";
import type { ApiContext } from "../http/apiContext.js";
import { toRefusal, valueOf } from "../http/envelopes.js";
import { mayUse, requireDatasource } from "../http/authentication.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import { route } from "../http/route.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource } from "../http/pathParameters.js";
import { ok } from "../shared/result.js";
import { issue } from "../http/validation/issue.js";
import { isLongerThan } from "../http/validation/characters.js";
import { inUtc } from "../shared/instant.js";
import { answerMessage, type Checked } from "../http/validation/message.js";
import { textParameter, queryOf, boundedText, integer } from "../http/validation/parameters.js";

/** Which page of a list. */
interface ListParameters {
  readonly after: string;
  readonly count: number;
}

/** Which page of those whose key begins so. */
interface PrefixedListParameters extends ListParameters {
  readonly prefix: string;
}

const pageSizes = { minimum: 1, maximum: 1_000, default: 100 } as const;
const longestKey = 254;

/** `count` and `next` of a list. */
const listParameters = {
  count: integer("Items on a page, at most.", pageSizes),
  next: textParameter(
    "The `next` of the page before; left out for the first page.",
    (text, given) => {
      if (isLongerThan(text, longestKey))
        given.refuse((loc) => issue(loc, "value_error", "the value must be the `next` of the page before"));
      return text;
    },
    { type: "string", maxLength: longestKey },
  ),
};

/** The parameters of a list. */
export const listQuery = queryOf(listParameters, ({ count, next }): Checked<ListParameters> =>
  ok({ after: next ?? "", count }),
);

/** The same, for lists in the order of emails, names or ids. */
const prefixedListQuery = queryOf(
  {
    ...listParameters,
    prefix: boundedText("Only those whose email, name or id begins so; case-sensitive but for emails.", longestKey),
  },
  ({ count, next, prefix }): Checked<PrefixedListParameters> => ok({ after: next ?? "", count, prefix: prefix ?? "" }),
);

/** Answer of `GET /users/{datasource}`. */
interface UsersAnswer {
  users: { email: string; name: string | null }[];
  next: string | null;
}

/** Answer of `GET /groups/{datasource}`, and of lists of the groups that something is in. */
interface GroupsAnswer {
  groups: { name: string }[];
  next: string | null;
}

/** Answer of `GET /groups/{datasource}/{group_name}/members`: one of the two keys in each. */
interface MembersAnswer {
  members: { member_email?: string; member_group_name?: string }[];
  next: string | null;
}

/** A document, as lists tell of it. */
interface ListedDocumentAnswer {
  id: string;
  title: string;
  /** In UTC with milliseconds (RFC 3339), however it was sent. */
  last_modified: (string & tags.MinLength<1>) | null;
  /** `queued`: it is indexed, and not searchable yet. */
  state: "searchable" | "queued";
}

/** Answer of `GET /documents/{datasource}`. */
interface DocumentsAnswer {
  documents: ListedDocumentAnswer[];
  next: string | null;
}

const usersAnswer = answerMessage(json.schema<UsersAnswer>());
export const groupsAnswer = answerMessage(json.schema<GroupsAnswer>());
const membersAnswer = answerMessage(json.schema<MembersAnswer>());
const documentsAnswer = answerMessage(json.schema<DocumentsAnswer>());

type ItemOf<Kind extends InventoryItem["kind"]> = Extract<InventoryItem, { readonly kind: Kind }>;
const itemsOf = <Kind extends InventoryItem["kind"]>({ items }: InventoryPage, kind: Kind): ItemOf<Kind>[] =>
  items.filter((item): item is ItemOf<Kind> => item.kind === kind);

/** A page of users, without the keys that only say where the next one begins. */
const toUsersAnswer = (page: InventoryPage): UsersAnswer => ({
  users: itemsOf(page, "user").map(({ email, name }) => ({ email, name })),
  next: page.next,
});

/** A page of groups, like that of users. */
const toGroupsAnswer = (page: InventoryPage): GroupsAnswer => ({
  groups: itemsOf(page, "group").map(({ name }) => ({ name })),
  next: page.next,
});

/** A page of members, each in the words in which memberships are pushed. */
const toMembersAnswer = (page: InventoryPage): MembersAnswer => ({
  members: itemsOf(page, "member").map(({ of, name }) =>
    of === "user" ? { member_email: name } : { member_group_name: name },
  ),
  next: page.next,
});

/** A page of the groups that something is in. */
export const toContainingGroupsAnswer = (page: InventoryPage): GroupsAnswer => ({
  groups: itemsOf(page, "member").map(({ name }) => ({ name })),
  next: page.next,
});

/** A page of documents, with dates in UTC. */
const toDocumentsAnswer = (page: InventoryPage): DocumentsAnswer => ({
  documents: itemsOf(page, "document").map(({ id, title, lastModified, state }) => ({
    id,
    title,
    last_modified: lastModified === null ? null : inUtc(lastModified),
    state,
  })),
  next: page.next,
});

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
