import { addressOf, type Query } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import type { Link } from "./links.js";
import type { MissingLink } from "./picture/graph.js";
import { splitName } from "./say.js";

/** A request of the Indexing API that is tried, or proposed. */
export interface TriedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const say = words({
  en: {
    join: "Add {member} to the group {group} on {datasource}.",
    leave: "Take {member} out of the group {group} on {datasource}.",
    register: "Register {person} on {datasource}.",
    unregister: "Delete {person} from {datasource}.",
    index: "Index {document} again with other permissions: {permissions}.",
    drop: "Delete the document {document}.",
    found: "Create the group {group} on {datasource}.",
    begin: "Register the datasource {datasource}.",
    nobody: "nobody",
    everybody: "everybody registered",
  },
  de: {
    join: "{member} in die Gruppe {group} auf {datasource} aufnehmen.",
    leave: "{member} aus der Gruppe {group} auf {datasource} herausnehmen.",
    register: "{person} auf {datasource} registrieren.",
    unregister: "{person} von {datasource} löschen.",
    index: "{document} mit anderen Berechtigungen neu indexieren: {permissions}.",
    drop: "Das Dokument {document} löschen.",
    found: "Die Gruppe {group} auf {datasource} anlegen.",
    begin: "Die Datenquelle {datasource} registrieren.",
    nobody: "niemand",
    everybody: "alle Registrierten",
  },
});

const post = (resource: string, body: object): TriedRequest => ({
  method: "POST",
  path: `/api/indexing/${resource}`,
  body,
});
const pathOf = (...segments: readonly string[]): string =>
  `/api/indexing/${segments.map((segment) => encodeURIComponent(segment)).join("/")}`;

/** Somebody, or a group, in a group. */
export interface Membership {
  readonly datasource: string;
  readonly group: string;
  readonly member: string;
  readonly of: "user" | "group";
}

/** Adds somebody, or a group, to a group. */
export const joining = ({ datasource, group, member, of }: Membership): TriedRequest =>
  post("memberships", {
    datasource,
    membership: { group_name: group, ...(of === "user" ? { member_email: member } : { member_group_name: member }) },
  });

/** Takes somebody, or a group, out of a group. */
export const leaving = ({ datasource, group, member, of }: Membership): TriedRequest => ({
  method: "DELETE",
  path: pathOf("memberships", datasource, group, of, member),
});

/** Registers a person. */
export const registering = (datasource: string, email: string): TriedRequest =>
  post("users", { datasource, user: { email } });

/** Deletes a person from a datasource. */
export const unregistering = (datasource: string, email: string): TriedRequest => ({
  method: "DELETE",
  path: pathOf("users", datasource, email),
});

/** Whom a document names. */
export interface Granted {
  readonly anonymous: boolean;
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** Indexes a document with other permissions; a request that is tried needs no text. */
export const granting = (document: string, { anonymous, users, groups }: Granted): TriedRequest => {
  const { own: id, datasource } = splitName({ kind: "document", name: document });
  const permissions = {
    allow_anonymous_access: anonymous,
    allowed_users: users.map((email) => ({ email })),
    allowed_groups: groups,
  };
  return post("documents", { documents: { datasource, id, title: id, file_type: "file", permissions } });
};

/** What would take a link away; null where that takes more than one request says. */
export function removalOf({ link, from, to }: Link): TriedRequest | null {
  const { own: group, datasource } = splitName(from);
  if (link === "membership" && datasource !== null) return leaving({ datasource, group, member: to.name, of: "user" });
  if (link === "nesting" && datasource !== null)
    return leaving({ datasource, group, member: splitName(to).own, of: "group" });
  return link === "registration" ? unregistering(from.name, to.name) : null;
}

/** The links that a proposed change would add. */
export function addedBy(request: Schemas["ChangeRequest"]): readonly MissingLink[] {
  const body = request.body as {
    readonly datasource?: string;
    readonly membership?: { readonly group_name: string; readonly member_email?: string };
    readonly documents?: {
      readonly datasource: string;
      readonly id: string;
      readonly permissions: { readonly allowed_users?: readonly { readonly email: string }[] };
    };
  };
  const { membership, documents } = body;
  if (membership?.member_email !== undefined)
    return [
      {
        from: { kind: "group", name: `${body.datasource}/${membership.group_name}` },
        to: { kind: "person", name: membership.member_email },
      },
    ];
  return (documents?.permissions.allowed_users ?? []).map(({ email }) => ({
    from: { kind: "document", name: `${documents?.datasource}/${documents?.id}` },
    to: { kind: "person", name: email },
  }));
}

/** The address with these requests to be tried. */
export function tryingAddress(query: Query, requests: readonly TriedRequest[]): string {
  const kept = ["document", "person", "other", "at"].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return addressOf("/access", { ...Object.fromEntries(kept), try: requests.map((each) => JSON.stringify(each)) });
}

/** The requests that an address asks to try; whatever is none is passed over. */
export const triedIn = (query: Query): readonly TriedRequest[] =>
  query.all("try").flatMap((text) => {
    try {
      const request = JSON.parse(text) as Partial<TriedRequest> | null;
      const isRequest = typeof request?.method === "string" && typeof request.path === "string";
      return isRequest ? [request as TriedRequest] : [];
    } catch {
      return [];
    }
  });

/** What a request would do, as a sentence; method and path where it is none of the usual. */
export function sentenceOfRequest({ method, path, body }: TriedRequest): string {
  const [, resource = "", ...segments] = /^\/api\/indexing\/([^/]+)(?:\/(.*))?$/s.exec(path.split("?")[0] ?? "") ?? [];
  const parts = (segments[0] ?? "").split("/").map(decoded);
  const sentence = method === "POST" ? sentenceOfPost(resource, body) : sentenceOfDelete(method, resource, parts);
  return sentence ?? `${method} ${path}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sentenceOfDelete(method: string, resource: string, parts: readonly string[]): string | null {
  const [datasource = "", second = "", , member = ""] = parts;
  if (method !== "DELETE") return null;
  if (resource === "memberships") return say("leave", { member, group: second, datasource });
  if (resource === "users") return say("unregister", { person: second, datasource });
  return resource === "documents" ? say("drop", { document: parts.join("/") }) : null;
}

/** What the bodies of the usual requests may hold; nobody has checked them. */
interface Tried {
  /** Of the datasource itself. */
  readonly name?: string;
  readonly datasource?: string;
  readonly group?: { readonly name?: string };
  readonly membership?: {
    readonly group_name?: string;
    readonly member_email?: string;
    readonly member_group_name?: string;
  };
  readonly user?: { readonly email?: string };
  readonly documents?: { readonly datasource?: string; readonly id?: string; readonly permissions?: Permissions };
}

/** By resource; null where the body is none of the usual. A map, since anybody may write an address. */
const sentencesOfPosts: ReadonlyMap<string, (body: Tried) => string | null> = new Map(
  Object.entries({
    datasources: ({ name }) => (name === undefined ? null : say("begin", { datasource: name })),
    groups: ({ datasource = "", group }) =>
      group?.name === undefined ? null : say("found", { group: group.name, datasource }),
    memberships: ({ datasource = "", membership }) =>
      membership === undefined ? null : sentenceOfJoining(datasource, membership),
    users: ({ datasource = "", user }) =>
      user === undefined ? null : say("register", { person: user.email ?? "", datasource }),
    documents: ({ documents }) => (documents?.id === undefined ? null : sentenceOfIndexing(documents)),
  }),
);

const sentenceOfPost = (resource: string, body: unknown): string | null =>
  sentencesOfPosts.get(resource)?.((body ?? {}) as Tried) ?? null;

const sentenceOfIndexing = ({ datasource, id, permissions = {} }: NonNullable<Tried["documents"]>): string =>
  say("index", { document: `${datasource}/${id}`, permissions: permissionWords(permissions) });

const sentenceOfJoining = (datasource: string, membership: NonNullable<Tried["membership"]>): string =>
  say("join", {
    member: membership.member_email ?? membership.member_group_name ?? "",
    group: membership.group_name ?? "",
    datasource,
  });

interface Permissions {
  readonly allow_anonymous_access?: boolean;
  readonly allowed_users?: readonly { readonly email?: string }[];
  readonly allowed_groups?: readonly string[];
}

function permissionWords({ allow_anonymous_access: anonymous, allowed_users, allowed_groups }: Permissions): string {
  const named = [...(allowed_users ?? []).map(({ email }) => email ?? ""), ...(allowed_groups ?? [])];
  const all = [...(anonymous === true ? [say("everybody")] : []), ...named];
  return all.length === 0 ? say("nobody") : all.join(", ");
}
