import type { DocumentEvent } from "../../src/events/document.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import { NaiveMembers, type PersonInGroup } from "./naiveMembers.js";
import type { DatasourceName, DocumentId, Email } from "../../src/shared/ids.js";
import { accessIn } from "./naiveVisibility.js";

/** What a timeline is of. */
export type TimelineSubject =
  | { readonly datasource: DatasourceName; readonly documentId: DocumentId }
  | { readonly user: Email }
  | { readonly datasource: DatasourceName; readonly group: string };

/**
 * Everything that a prefix of the log says of permissions, told event by event: `position fact`, with whom each is
 * about.
 */
interface Told {
  readonly line: string;
  readonly datasource: DatasourceName;
  readonly incarnation: string;
  /** Documents, people, ids of groups and `named {name}`. */
  readonly about: readonly string[];
}

/** The lines of a timeline, sorted: a plain walk over the events, each told with the names of its own moment. */
export function naiveTimeline(
  events: readonly RecordedEvent[],
  upTo: bigint,
  subject: TimelineSubject,
): readonly string[] {
  const prefix = events.filter(({ position }) => position <= upTo);
  const told = tellAll(prefix);
  const ours = told.filter((each) => isAbout(each, subject, prefix));
  const incarnations = new Set(ours.map(({ incarnation }) => incarnation));
  const closings = prefix.flatMap(({ event, position }) =>
    event.type === "DatasourceDeleted" && incarnations.has(event.data.datasourceId)
      ? [`${position} the datasource ${event.data.name} was deleted`]
      : [],
  );
  return [...ours.map(({ line }) => line), ...closings].sort();
}

function isAbout(
  { datasource, incarnation, about }: Told,
  subject: TimelineSubject,
  events: readonly RecordedEvent[],
): boolean {
  if ("user" in subject) return about.includes(subject.user);
  if (datasource !== subject.datasource) return false;
  if ("documentId" in subject) return about.includes(`document ${subject.documentId}`);
  const bearers = new Set<string>();
  for (const { event } of events) {
    const isNaming = event.type === "GroupCreated" || event.type === "GroupRenamed";
    if (isNaming && event.data.datasourceId === incarnation && event.data.name === subject.group)
      bearers.add(event.data.groupId);
  }
  return about.includes(`named ${subject.group}`) || about.some((each) => bearers.has(each));
}

function tellAll(events: readonly RecordedEvent[]): readonly Told[] {
  const walk = new Walk();
  for (const event of events) walk.follow(event);
  return walk.told;
}

class Walk {
  readonly told: Told[] = [];
  private readonly datasources = new Map<string, DatasourceName>();
  private readonly names = new Map<string, string>();
  private readonly granted = new Map<string, readonly string[]>();
  private readonly members = new NaiveMembers();

  follow(recorded: RecordedEvent): void {
    const { event, position } = recorded;
    if (event.type === "DatasourceRegistered") this.datasources.set(event.data.datasourceId, event.data.name);
    if (event.type === "UserRegistered")
      this.tell(
        position,
        event.data.datasourceId,
        [event.data.email],
        `${event.data.email} was registered on ${this.datasources.get(event.data.datasourceId)}`,
      );
    this.followDeletion(recorded);
    this.followMembers(recorded);
    if (event.type === "GroupCreated")
      this.tell(position, event.data.datasourceId, [event.data.groupId], `the group ${event.data.name} was created`);
    if (event.type === "GroupRenamed")
      this.tell(
        position,
        event.data.datasourceId,
        [event.data.groupId],
        `the group ${event.data.previousName} was renamed to ${event.data.name}`,
      );
    if (event.type === "GroupCreated" || event.type === "GroupRenamed")
      this.names.set(event.data.groupId, event.data.name);
    if (event.type === "DocumentIndexed" || event.type === "DocumentDeleted") this.followDocument(recorded, event);
  }

  private followDeletion({ event, position }: RecordedEvent): void {
    if (event.type === "UserDeleted")
      this.tell(
        position,
        event.data.datasourceId,
        [event.data.email],
        `${event.data.email} was deleted from ${this.datasources.get(event.data.datasourceId)}`,
      );
    if (event.type === "GroupDeleted")
      this.tell(position, event.data.datasourceId, [event.data.groupId], `the group ${event.data.name} was deleted`);
  }

  private followMembers({ event, position }: RecordedEvent): void {
    if (event.type === "MembershipAdded" || event.type === "MembershipRemoved") this.followNesting(position, event);
    const { joined, left } = this.members.follow(event);
    for (const each of joined) this.tellMember(position, each, "joined");
    for (const each of left) this.tellMember(position, each, "left");
  }

  private followNesting(position: bigint, { type, data: { datasourceId, groupId, member } }: MembershipEvent): void {
    if (member.kind === "user") return;
    this.tell(
      position,
      datasourceId,
      [member.groupId, groupId],
      `the group ${this.names.get(member.groupId)} ${type === "MembershipAdded" ? "joined" : "left"} the group ${this.names.get(groupId)}`,
    );
  }

  private tellMember(position: bigint, { datasourceId, groupId, email }: PersonInGroup, how: "joined" | "left"): void {
    this.tell(position, datasourceId, [email, groupId], `${email} ${how} the group ${this.names.get(groupId)}`);
  }

  private followDocument(
    recorded: RecordedEvent,
    { type, data: { datasourceId, datasource, documentId } }: DocumentEvent,
  ): void {
    const { stream, position } = recorded;
    const tell = (fact: string, ...about: readonly string[]): void =>
      this.tell(position, datasourceId, [`document ${documentId}`, ...about], fact);
    const [document, before, after] = [`${datasource}/${documentId}`, this.granted.get(stream), targetsIn(recorded)];
    if (type === "DocumentDeleted") this.granted.delete(stream);
    else this.granted.set(stream, after);
    if (before === undefined) tell(`${document} was indexed`);
    if (type === "DocumentDeleted") tell(`${document} was deleted`);
    for (const target of after)
      if (before?.includes(target) !== true) tell(`${document} was granted to ${target}`, keyOf(target));
    for (const target of before ?? [])
      if (!after.includes(target)) tell(`the grant of ${document} to ${target} ended`, keyOf(target));
  }

  private tell(position: bigint, incarnation: string, about: readonly string[], fact: string): void {
    this.told.push({
      line: `${position} ${fact}`,
      datasource: this.datasources.get(incarnation) as DatasourceName,
      incarnation,
      about,
    });
  }
}

/** Whom an event's access list names, in words. */
function targetsIn(recorded: RecordedEvent): readonly string[] {
  const { anonymous, users, groups } = accessIn(recorded);
  return [...(anonymous ? ["everybody registered"] : []), ...users, ...groups.map((name) => `the group ${name}`)];
}

const keyOf = (target: string): string => target.replace(/^the group /, "named ");
