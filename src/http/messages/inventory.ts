import { json, type tags } from "typia";
import type { InventoryItem, InventoryPage } from "../../audit/auditQueries.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import { issue, tooLong, type Issue } from "../validation/issue.js";
import { isLongerThan } from "../validation/characters.js";
import { inUtc } from "../../shared/instant.js";
import { answerMessage } from "../validation/message.js";
import { checkInteger } from "../validation/parameters.js";

/** Which page of a list. */
export interface ListParameters {
  readonly after: string;
  readonly count: number;
}

/** Which page of those whose key begins so. */
export interface PrefixedListParameters extends ListParameters {
  readonly prefix: string;
}

const pageSizes = { minimum: 1, maximum: 1_000, otherwise: 100 } as const;
const longestKey = 254;

/** `count` and `next` of a list. */
export const listQuery: QueryParameters<ListParameters> = {
  parameters: [
    inQuery("count", "Items on a page, at most.", {
      type: "integer",
      ...{ minimum: pageSizes.minimum, maximum: pageSizes.maximum, default: pageSizes.otherwise },
    }),
    inQuery("next", "The `next` of the page before; left out for the first page.", {
      type: "string",
      maxLength: longestKey,
    }),
  ],
  check(parameters) {
    const issues: Issue[] = [];
    const count = checkInteger(parameters, "count", pageSizes, issues);
    const after = parameters.get("next")?.at(-1) ?? "";
    if (isLongerThan(after, longestKey))
      issues.push(issue(["query", "next"], "value_error", "the value must be the `next` of the page before"));
    return issues.length > 0 ? failed(issues) : ok({ after, count });
  },
};

/** The same, for lists in the order of emails, names or ids. */
export const prefixedListQuery: QueryParameters<PrefixedListParameters> = {
  parameters: [
    ...listQuery.parameters,
    inQuery("prefix", "Only those whose email, name or id begins so; case-sensitive but for emails.", {
      type: "string",
      maxLength: longestKey,
    }),
  ],
  check(parameters) {
    const page = listQuery.check(parameters);
    const prefix = parameters.get("prefix")?.at(-1) ?? "";
    if (isLongerThan(prefix, longestKey))
      return failed([...(page.ok ? [] : page.error), tooLong(["query", "prefix"], longestKey)]);
    return page.ok ? ok({ ...page.value, prefix }) : page;
  },
};

/** Answer of `GET /users/{datasource}`. */
export interface UsersAnswer {
  users: { email: string; name: string | null }[];
  next: string | null;
}

/** Answer of `GET /groups/{datasource}`, and of lists of the groups that something is in. */
export interface GroupsAnswer {
  groups: { name: string }[];
  next: string | null;
}

/** Answer of `GET /groups/{datasource}/{group_name}/members`: one of the two keys in each. */
export interface MembersAnswer {
  members: { member_email?: string; member_group_name?: string }[];
  next: string | null;
}

/** A document, as lists tell of it. */
export interface ListedDocumentAnswer {
  id: string;
  title: string;
  /** As it was sent. */
  last_modified: (string & tags.MinLength<1>) | null;
  /** `queued`: it is indexed, and not searchable yet. */
  state: "searchable" | "queued";
}

/** Answer of `GET /documents/{datasource}`. */
export interface DocumentsAnswer {
  documents: ListedDocumentAnswer[];
  next: string | null;
}

export const usersAnswer = answerMessage(json.schema<UsersAnswer>());
export const groupsAnswer = answerMessage(json.schema<GroupsAnswer>());
export const membersAnswer = answerMessage(json.schema<MembersAnswer>());
export const documentsAnswer = answerMessage(json.schema<DocumentsAnswer>());

type ItemOf<Kind extends InventoryItem["kind"]> = Extract<InventoryItem, { readonly kind: Kind }>;
const itemsOf = <Kind extends InventoryItem["kind"]>({ items }: InventoryPage, kind: Kind): ItemOf<Kind>[] =>
  items.filter((item): item is ItemOf<Kind> => item.kind === kind);

/** A page of users, without the keys that only say where the next one begins. */
export const toUsersAnswer = (page: InventoryPage): UsersAnswer => ({
  users: itemsOf(page, "user").map(({ email, name }) => ({ email, name })),
  next: page.next,
});
/** A page of groups, like that of users. */
export const toGroupsAnswer = (page: InventoryPage): GroupsAnswer => ({
  groups: itemsOf(page, "group").map(({ name }) => ({ name })),
  next: page.next,
});
/** A page of members, each in the words in which memberships are pushed. */
export const toMembersAnswer = (page: InventoryPage): MembersAnswer => ({
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
export const toDocumentsAnswer = (page: InventoryPage): DocumentsAnswer => ({
  documents: itemsOf(page, "document").map(({ id, title, lastModified, state }) => ({
    id,
    title,
    last_modified: lastModified === null ? null : inUtc(lastModified),
    state,
  })),
  next: page.next,
});
