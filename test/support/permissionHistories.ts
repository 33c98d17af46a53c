import * as fc from "fast-check";
import { datasourceRegistered } from "../../bench/processes.js";
import type { DocumentAccess, DocumentIndexed } from "../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import type { Member } from "../../src/events/membership.js";
import {
  apiKeyStream,
  datasourceStream,
  documentStream,
  groupGraphStream,
  groupMembersStream,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import {
  toCredentialId,
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toEmail,
  toGroupId,
  type DatasourceId,
  type DatasourceName,
  type DocumentId,
  type Email,
  type GroupId,
} from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";

/** Everything that histories are about; whatever else is asked for never was. */
export const people: readonly Email[] = ["ann", "bob", "cid", "dee"].map((name) => toEmail(`${name}@example.org`));
export const datasources: readonly DatasourceName[] = ["wiki", "files"].map(toDatasourceName);
export const documents: readonly DocumentId[] = ["plan", "memo", "list"].map(toDocumentId);
export const groupNames: readonly string[] = ["staff", "board", "crew", "guests", "all"];

/** Every pair of a person and a document that histories are about. */
export const allPairs = people.flatMap((email) =>
  datasources.flatMap((datasource) => documents.map((documentId) => ({ email, datasource, documentId }))),
);

/** When histories begin, in epoch milliseconds. */
export const historyBegins = Date.parse("2026-01-01T00:00:00.000Z");

const actions = [
  ...[
    "register",
    "register",
    "create",
    "create",
    "create",
    "index",
    "index",
    "index",
    "index",
    "join",
    "join",
    "join",
    "join",
    "nest",
    "nest",
    "nest",
    "replace",
    "replace",
  ],
  ...[
    "leave",
    "leave",
    "rename",
    "rename",
    "withdraw",
    "indexAgain",
    "delete",
    "nothing",
    "close",
    "deregister",
    "dissolve",
  ],
] as const;

const minuteMs = 60_000;
const yearMs = 365 * 24 * 60 * minuteMs;

/** One thing that somebody wants to do, and how much later than the one before; negative where a clock was slow. */
const anyStep = fc.record({
  action: fc.constantFrom(...actions),
  datasource: fc.nat(datasources.length - 1),
  person: fc.nat(people.length - 1),
  document: fc.nat(documents.length - 1),
  group: fc.nat(groupNames.length - 1),
  other: fc.nat(groupNames.length - 1),
  access: fc.nat(1_023),
  by: fc.nat(2),
  later: fc.oneof(
    { weight: 6, arbitrary: fc.nat(5_000) },
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -8_000, max: -1 }) },
  ),
  /** How far the clock is off under which it is written. */
  off: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(-2 * yearMs, -90 * minuteMs, 50 * minuteMs, 90 * minuteMs, 10 * yearMs) },
  ),
  skipped: fc.nat(2),
});

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A registration of a datasource's name, as the write side would know it. */
interface Incarnation {
  readonly datasourceId: DatasourceId;
  readonly name: DatasourceName;
  readonly registered: Set<Email>;
  /** By the name that they have now. */
  readonly groups: Map<string, GroupId>;
  /** By `{member}>{group}`. */
  readonly memberships: Map<string, { readonly groupId: GroupId; readonly member: Member }>;
  readonly documents: Map<DocumentId, DocumentIndexed["data"]>;
}

/** Turns any steps into events that commands could have written. */
class History {
  readonly events: RecordedEvent[] = [];
  private readonly live = new Map<DatasourceName, Incarnation>();
  private readonly revisions = new Map<StreamName, number>();
  private position = 0;
  private at = historyBegins;
  private minted = 0;

  constructor(private readonly by: readonly string[]) {}

  follow(step: Step): void {
    this.at += step.later;
    const name = datasources[step.datasource] as DatasourceName;
    const incarnation = this.live.get(name);
    if (incarnation === undefined) this.open(name, step);
    else this.act(incarnation, step);
  }

  private act(incarnation: Incarnation, step: Step): void {
    const [email, documentId] = [people[step.person] as Email, documents[step.document] as DocumentId];
    const acts: { readonly [Action in Step["action"]]: () => void } = {
      register: () => this.register(incarnation, email, step),
      create: () => this.create(incarnation, groupNames[step.group] as string, step),
      rename: () => this.rename(incarnation, step),
      join: () => this.join(incarnation, { kind: "user", email }, step),
      leave: () => this.leave(incarnation, step),
      nest: () => this.nest(incarnation, step),
      replace: () => this.replace(incarnation, step),
      index: () => this.index(incarnation, documentId, accessOf(step), step),
      indexAgain: () => this.indexAgain(incarnation, documentId, step),
      withdraw: () => this.index(incarnation, documentId, { anonymous: false, users: [], groups: [] }, step),
      delete: () => this.remove(incarnation, documentId, step),
      deregister: () => this.deregister(incarnation, email, step),
      dissolve: () => this.dissolve(incarnation, groupNames[step.group] as string, step),
      nothing: () =>
        this.record(
          apiKeyStream(toCredentialId(`key${this.minted}`)),
          {
            type: "ApiKeyCreated",
            data: { id: toCredentialId(`key${this.minted++}`), email, secretSha256: "", expiresAt: null, roles: [] },
          },
          step,
        ),
      close: () => this.close(incarnation, step),
    };
    acts[step.action]();
  }

  private open(name: DatasourceName, step: Step): void {
    const datasourceId = toDatasourceId(`${name}${this.minted++}`);
    this.live.set(name, {
      datasourceId,
      name,
      registered: new Set(),
      groups: new Map(),
      memberships: new Map(),
      documents: new Map(),
    });
    this.record(datasourceStream(name), datasourceRegistered(datasourceId, name), step);
    // Otherwise most of what follows would be about nobody.
    const incarnation = this.live.get(name) as Incarnation;
    for (const group of groupNames.slice(step.group)) this.create(incarnation, group, step);
    for (const email of people.slice(step.person)) this.register(incarnation, email, step);
  }

  private close(incarnation: Incarnation, step: Step): void {
    // Half of the time, and a document that another process is just writing comes behind it.
    if (step.access % 2 === 0) return;
    const { datasourceId, name } = incarnation;
    this.live.delete(name);
    this.record(datasourceStream(name), { type: "DatasourceDeleted", data: { datasourceId, name } }, step);
    if (step.access % 4 === 3) this.index(incarnation, documents[step.document] as DocumentId, accessOf(step), step);
  }

  private register({ datasourceId, registered }: Incarnation, email: Email, step: Step): void {
    if (registered.has(email))
      return this.record(
        userStream(datasourceId, email),
        { type: "UserRenamed", data: { datasourceId, email, name: `${step.access}` } },
        step,
      );
    registered.add(email);
    this.record(
      userStream(datasourceId, email),
      { type: "UserRegistered", data: { datasourceId, email, name: null } },
      step,
    );
  }

  private create({ datasourceId, groups }: Incarnation, name: string, step: Step): void {
    if (groups.has(name)) return;
    const groupId = toGroupId(`g${this.minted++}`);
    groups.set(name, groupId);
    this.record(groupGraphStream(datasourceId), { type: "GroupCreated", data: { datasourceId, groupId, name } }, step);
  }

  /** Ends these memberships, each by an event of its own. */
  private end(
    { datasourceId, memberships }: Incarnation,
    isMeant: (membership: { readonly groupId: GroupId; readonly member: Member }) => boolean,
    step: Step,
  ): void {
    for (const [key, membership] of memberships) {
      if (!isMeant(membership)) continue;
      memberships.delete(key);
      this.record(
        streamOf(datasourceId, membership.member),
        { type: "MembershipRemoved", data: { datasourceId, ...membership } },
        step,
      );
    }
  }

  private deregister(incarnation: Incarnation, email: Email, step: Step): void {
    const { datasourceId, registered } = incarnation;
    if (!registered.delete(email)) return;
    const isTheirs = ({ member }: { readonly member: Member }): boolean =>
      member.kind === "user" && member.email === email;
    // Half of the time, members are just being replaced, and the deletion knows nothing of it.
    if (step.access % 2 === 0) this.end(incarnation, isTheirs, step);
    for (const [key, membership] of incarnation.memberships)
      if (isTheirs(membership)) incarnation.memberships.delete(key);
    this.record(userStream(datasourceId, email), { type: "UserDeleted", data: { datasourceId, email } }, step);
  }

  /** People stay in it, for nothing. */
  private dissolve(incarnation: Incarnation, name: string, step: Step): void {
    const { datasourceId, groups } = incarnation;
    const groupId = groups.get(name);
    if (groupId === undefined) return;
    groups.delete(name);
    this.end(
      incarnation,
      ({ member, ...to }) => member.kind === "group" && (member.groupId === groupId || to.groupId === groupId),
      step,
    );
    this.record(groupGraphStream(datasourceId), { type: "GroupDeleted", data: { datasourceId, groupId, name } }, step);
  }

  private rename({ datasourceId, groups }: Incarnation, step: Step): void {
    const [previousName, name] = [groupNames[step.group] as string, groupNames[step.other] as string];
    const groupId = groups.get(previousName);
    if (groupId === undefined || groups.has(name)) return;
    groups.delete(previousName);
    groups.set(name, groupId);
    this.record(
      groupGraphStream(datasourceId),
      { type: "GroupRenamed", data: { datasourceId, groupId, name, previousName } },
      step,
    );
  }

  /** Now and then people were deleted, joined or left while it was decided: then it names them all the same. */
  private replace({ datasourceId, registered, groups, memberships }: Incarnation, step: Step): void {
    const groupId = groups.get(groupNames[step.group] as string);
    if (groupId === undefined) return;
    const isRaced = step.access % 3 === 0;
    const isMember = (email: Email): boolean => memberships.has(keyOf({ kind: "user", email }, groupId));
    const isWanted = (email: Email): boolean => (step.access & (1 << people.indexOf(email))) !== 0;
    const joined = people.filter(
      (email) => isWanted(email) && (isRaced || (registered.has(email) && !isMember(email))),
    );
    const left = people.filter((email) => !isWanted(email) && (isRaced || isMember(email)));
    for (const email of left) memberships.delete(keyOf({ kind: "user", email }, groupId));
    for (const email of joined) {
      const member = { kind: "user", email } as const;
      if (registered.has(email)) memberships.set(keyOf(member, groupId), { groupId, member });
    }
    const data = { datasourceId, groupId, joined, left };
    if (joined.length + left.length > 0)
      this.record(groupMembersStream(datasourceId), { type: "GroupMembersReplaced", data }, step);
  }

  private nest(incarnation: Incarnation, step: Step): void {
    const groupId = incarnation.groups.get(groupNames[step.other] as string);
    if (groupId !== undefined) this.join(incarnation, { kind: "group", groupId }, step);
  }

  private join({ datasourceId, registered, groups, memberships }: Incarnation, member: Member, step: Step): void {
    const groupId = groups.get(groupNames[step.group] as string);
    if (groupId === undefined || (member.kind === "user" && !registered.has(member.email))) return;
    const key = keyOf(member, groupId);
    if (memberships.has(key) || reaches([...memberships.keys()], groupId, keyOf(member, ""))) return;
    memberships.set(key, { groupId, member });
    this.record(
      streamOf(datasourceId, member),
      { type: "MembershipAdded", data: { datasourceId, groupId, member } },
      step,
    );
  }

  /** Ends any of the memberships that there are, of people and groups alike. */
  private leave({ datasourceId, memberships }: Incarnation, step: Step): void {
    const membership = [...memberships.values()][step.access % Math.max(1, memberships.size)];
    if (membership === undefined) return;
    memberships.delete(keyOf(membership.member, membership.groupId));
    this.record(
      streamOf(datasourceId, membership.member),
      { type: "MembershipRemoved", data: { datasourceId, ...membership } },
      step,
    );
  }

  private index(
    { datasourceId, name, documents: indexed }: Incarnation,
    documentId: DocumentId,
    access: DocumentAccess,
    step: Step,
  ): void {
    const previous = indexed.get(documentId);
    const content = { sha256: `${step.access}`, bytes: 3 };
    const plain = {
      title: documentId,
      mimeType: "text/plain",
      size: 3,
      fileType: "page",
      pathPreview: null,
      path: null,
      author: null,
      lastModified: null,
      sub: null,
      childSub: null,
    };
    const data: DocumentIndexed["data"] = {
      ...{ datasourceId, datasource: name, documentId, content, access, customProperties: [], ...plain },
      supersededContent: previous?.content ?? null,
      widenedToAnonymous: previous !== undefined && access.anonymous && !previous.access.anonymous,
    };
    indexed.set(documentId, data);
    this.record(documentStream(datasourceId, documentId), { type: "DocumentIndexed", data }, step);
  }

  private indexAgain(incarnation: Incarnation, documentId: DocumentId, step: Step): void {
    const previous = incarnation.documents.get(documentId);
    if (previous !== undefined) this.index(incarnation, documentId, previous.access, step);
  }

  private remove({ datasourceId, name, documents: indexed }: Incarnation, documentId: DocumentId, step: Step): void {
    const previous = indexed.get(documentId);
    if (previous === undefined) return;
    indexed.delete(documentId);
    this.record(
      documentStream(datasourceId, documentId),
      {
        type: "DocumentDeleted",
        data: { datasourceId, datasource: name, documentId, supersededContent: previous.content },
      },
      step,
    );
  }

  private record(stream: StreamName, event: DomainEvent, { by, skipped, off }: Step): void {
    const revision = (this.revisions.get(stream) ?? -1) + 1;
    this.revisions.set(stream, revision);
    this.position += 1 + skipped;
    const id = `event${this.position}`;
    const credential = this.by[by % this.by.length] ?? "operator";
    const metadata = {
      at: new Date(this.at + off).toISOString(),
      by: credential === "operator" ? credential : toCredentialId(credential),
      correlationId: id,
      causationId: id,
    } as const;
    this.events.push({ id, stream, revision, position: toPosition(this.position), event, metadata });
  }
}

/** Nobody but the listed; a tenth are open to everybody registered. Names that mean nobody are among them. */
function accessOf({ access }: Step): DocumentAccess {
  const pick = <Value>(values: readonly Value[], bits: number): Value[] =>
    values.filter((_, index) => (bits & (1 << index)) !== 0);
  return {
    anonymous: access % 10 === 0,
    users: access % 4 === 0 ? pick(people, access >> 4).sort() : [],
    groups: pick(groupNames, access >> (access % 6)).sort(),
  };
}

const keyOf = (member: Member, groupId: GroupId | ""): string =>
  `${member.kind === "user" ? member.email : member.groupId}>${groupId}`;
const streamOf = (datasourceId: DatasourceId, member: Member): StreamName =>
  member.kind === "user" ? userStream(datasourceId, member.email) : groupGraphStream(datasourceId);

/** Whether the group is, through any others, a member of who is to join it. */
function reaches(memberships: readonly string[], from: string, to: string): boolean {
  if (`${from}>` === to) return true;
  return memberships.some((key) => key.startsWith(`${from}>`) && reaches(memberships, key.slice(from.length + 1), to));
}

/**
 * Random histories of who may see what, as a log holds them: streams, revisions, positions with gaps, times that now
 * and then run backwards. Registrations, nested groups, renames, groups and datasources whose names are used again,
 * documents that are indexed, restricted, indexed again and deleted; and events that are about something else.
 */
export const permissionHistories = (maxLength = 70): fc.Arbitrary<readonly RecordedEvent[]> =>
  fc.array(anyStep, { minLength: 10, maxLength, size: "max" }).map((steps) => {
    const history = new History(["operator", "sa1", "sa2"]);
    for (const each of steps) history.follow(each);
    return history.events;
  });
