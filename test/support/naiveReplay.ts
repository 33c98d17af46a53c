import type { DocumentAccess } from "../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import type { GroupMembersReplaced, Member, MembershipAdded } from "../../src/events/membership.js";
import type { UserDeleted } from "../../src/events/user.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId, PrincipalToken } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";

/** One pair of person and document, by names. */
export interface Pair {
  readonly email: Email;
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/**
 * What a prefix of the log says of who may see what: the spec's visibility rules, word for word and without any
 * cleverness. Answers about the past have to agree with it.
 */
export class NaiveReplay {
  private readonly incarnations = new Map<DatasourceName, DatasourceId>();
  private readonly registered = new Set<string>();
  private readonly groups = new Map<GroupId, { readonly datasourceId: DatasourceId; readonly name: string }>();
  private readonly members = new Map<
    string,
    { readonly datasourceId: DatasourceId; readonly groupId: GroupId; readonly member: Member }
  >();
  private readonly documents = new Map<
    string,
    { readonly datasourceId: DatasourceId; readonly documentId: DocumentId; readonly access: DocumentAccess }
  >();

  /** Of the events up to and including `upTo`. */
  constructor(events: readonly RecordedEvent[], upTo: Position) {
    for (const event of events) if (event.position <= upTo) this.follow(event);
  }

  /** Whether a person who is registered there sees this document. */
  maySee({ email, datasource, documentId }: Pair): boolean {
    const datasourceId = this.incarnations.get(datasource);
    if (datasourceId === undefined || !this.registered.has(`${datasourceId}:${email}`)) return false;
    const document = this.documents.get(`${datasourceId}:${documentId}`);
    if (document === undefined) return false;
    const { anonymous, users, groups } = document.access;
    const names = this.namesOfGroups(datasourceId, email);
    return anonymous || users.includes(email) || groups.some((name) => names.has(name));
  }

  /** Every document that is there, of live datasources; sorted by datasource and id. */
  present(): readonly Omit<Pair, "email">[] {
    const names = new Map([...this.incarnations].map(([name, datasourceId]) => [datasourceId, name]));
    const found = [...this.documents.values()].flatMap(({ datasourceId, documentId }) => {
      const datasource = names.get(datasourceId);
      return datasource === undefined ? [] : [{ datasource, documentId }];
    });
    return found.sort((a, b) => (`${a.datasource}/${a.documentId}` < `${b.datasource}/${b.documentId}` ? -1 : 1));
  }

  /** The document's access list, as tokens; none where it is not there. */
  tokensOf({ datasource, documentId }: Omit<Pair, "email">, tokens: PrincipalTokens): readonly PrincipalToken[] {
    const datasourceId = this.incarnations.get(datasource);
    const access = datasourceId === undefined ? undefined : this.documents.get(`${datasourceId}:${documentId}`)?.access;
    if (datasourceId === undefined || access === undefined) return [];
    const anonymous = access.anonymous ? [tokens.anonymous(datasourceId)] : [];
    return [
      ...anonymous,
      ...access.users.map((email) => tokens.user(datasourceId, email)),
      ...access.groups.map((name) => tokens.group(datasourceId, name)),
    ];
  }

  /** The names that the groups have now to which the person belongs, directly or through other groups. */
  private namesOfGroups(datasourceId: DatasourceId, email: Email): ReadonlySet<string> {
    const names = new Set<string>();
    const reached = new Set<string>();
    const queue: string[] = [email];
    for (const who of queue) {
      for (const { groupId, member, ...membership } of this.members.values()) {
        if (membership.datasourceId !== datasourceId || idOf(member) !== who || reached.has(groupId)) continue;
        reached.add(groupId);
        queue.push(groupId);
        names.add(this.groups.get(groupId)?.name ?? "");
      }
    }
    return names;
  }

  /** One event more. */
  follow({ event }: RecordedEvent): void {
    if (event.type === "DatasourceRegistered") this.incarnations.set(event.data.name, event.data.datasourceId);
    if (event.type === "DatasourceDeleted") this.incarnations.delete(event.data.name);
    this.followPeople(event);
    if (event.type === "GroupDeleted") this.groups.delete(event.data.groupId);
    if (event.type === "GroupCreated" || event.type === "GroupRenamed") this.groups.set(event.data.groupId, event.data);
    if (event.type === "MembershipAdded") this.join(event.data);
    if (event.type === "MembershipRemoved") this.members.delete(`${idOf(event.data.member)}>${event.data.groupId}`);
    if (event.type === "DocumentIndexed")
      this.documents.set(`${event.data.datasourceId}:${event.data.documentId}`, event.data);
    if (event.type === "DocumentDeleted") this.documents.delete(`${event.data.datasourceId}:${event.data.documentId}`);
  }

  private followPeople(event: DomainEvent): void {
    if (event.type === "UserRegistered") this.registered.add(`${event.data.datasourceId}:${event.data.email}`);
    if (event.type === "UserDeleted") this.deleteUser(event.data);
    if (event.type === "GroupMembersReplaced") this.replaceMembers(event.data);
  }

  private deleteUser({ datasourceId, email }: UserDeleted["data"]): void {
    this.registered.delete(`${datasourceId}:${email}`);
    for (const [key, { member, ...membership }] of this.members)
      if (membership.datasourceId === datasourceId && idOf(member) === email) this.members.delete(key);
  }

  /** Only who is registered joins. */
  private join(membership: MembershipAdded["data"]): void {
    const { datasourceId, groupId, member } = membership;
    if (member.kind === "user" && !this.registered.has(`${datasourceId}:${member.email}`)) return;
    this.members.set(`${idOf(member)}>${groupId}`, membership);
  }

  private replaceMembers({ datasourceId, groupId, joined, left }: GroupMembersReplaced["data"]): void {
    for (const email of left) this.members.delete(`${email}>${groupId}`);
    for (const email of joined) this.join({ datasourceId, groupId, member: { kind: "user", email } });
  }
}

/**
 * A person has an id of its own on each datasource only together with it, so this compares members of one datasource.
 */
const idOf = (member: Member): string => (member.kind === "user" ? member.email : member.groupId);

/**
 * The time of each event. Times rise with the log. One that is behind counts as that of the event before, unless the
 * times so far leave out more than an hour just there: then those after the gap were ahead, and happened by then.
 */
export function naiveTimes(
  events: readonly { readonly position: Position; readonly metadata: { readonly at: string } }[],
): readonly (readonly [position: Position, time: number])[] {
  const hour = 3_600_000;
  let rising: readonly number[] = [];
  const shown = events.map(({ metadata }) => {
    const time = Date.parse(metadata.at);
    const near = rising.filter((one) => one <= time + hour);
    const [last, next] = [near.at(-1), rising[near.length]];
    if (last !== undefined && next !== undefined && next > last + hour) rising = near;
    rising = [...rising, Math.max(time, rising.at(-1) ?? time)];
    return rising.at(-1) as number;
  });
  return events.map(({ position }, index) => [position, Math.min(...shown.slice(index))]);
}

/** The position of the last event that had happened at a time (epoch milliseconds). */
export const naivePositionAt = (events: readonly RecordedEvent[], time: number): Position =>
  naiveTimes(events).findLast(([, happened]) => happened <= time)?.[0] ?? beginning;
