import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";

/**
 * Who could see what, as intervals over the positions of the log: `opened` is the position of the event that began it,
 * `closed` that of the event that ended it, or `still` (`intervalSet.ts`). Everything is told as of one position: what
 * began later is not there, and what ended later has not ended. Ids, names and emails are numbers that have a meaning
 * only here.
 */
export interface PermissionIntervals {
  /** The position as of which all this holds. */
  readonly position: number;
  /** Incarnations of datasources, of one name or of all, in the order in which they were registered. */
  incarnations(name?: DatasourceName): readonly Incarnation[];
  /** A person who was registered or named by an access list; null: neither ever happened. */
  person(incarnation: number, email: Email): Person | null;
  personOf(principal: number): Person;
  /** People who were ever registered, by email, after this one; at most `count`. */
  people(incarnation: number, after: string, count: number): readonly Person[];
  countPeople(incarnation: number): number;
  /** The principal that a grant can be for; null where it was never heard of. */
  principal(incarnation: number, kind: PrincipalKind, name: string): number | null;
  principalOf(principal: number): Principal;
  document(incarnation: number, documentId: DocumentId): number | null;
  group(incarnation: number, groupId: GroupId): number | null;
  documentIdOf(document: number): DocumentId;
  /** When the document was there. */
  existences(document: number): readonly Span[];
  /** When the document was there without permissions of its own, and its datasource's `default_access` decided. */
  byDefault(document: number): readonly Span[];
  /** Edges to principals. */
  grantsOf(document: number): readonly Edge[];
  /** Edges to documents. */
  grantsTo(principal: number): readonly Edge[];
  /** Edges from a person to groups. */
  groupsOf(person: number): readonly Edge[];
  /** Edges from a group to the people in it. */
  membersOf(group: number): readonly Edge[];
  /** Edges from a group to those that contain it. */
  parentsOf(group: number): readonly Edge[];
  /** Edges from a group to those that it contains. */
  childrenOf(group: number): readonly Edge[];
  /** Edges from a group to its names, which are principals. */
  namesOf(group: number): readonly Edge[];
  /** Edges from a name to the groups that bore it. */
  groupsNamed(principal: number): readonly Edge[];
}

/** From one thing to `other`, and when. Some hundred thousand of these make an answer, so it is a tuple. */
export type Edge = readonly [other: number, opened: number, closed: number];
export type Span = readonly [opened: number, closed: number];

/** One registration of a datasource's name. */
export interface Incarnation {
  readonly number: number;
  readonly datasourceId: DatasourceId;
  readonly name: DatasourceName;
  readonly opened: number;
  readonly closed: number;
}

export interface Person {
  readonly number: number;
  readonly email: Email;
  /** When the person was registered, in order; empty where she never was. */
  readonly registrations: readonly Span[];
}

/** `anonymous`: every registered person. */
export type PrincipalKind = "anonymous" | "user" | "group";

export interface Principal {
  readonly kind: PrincipalKind;
  readonly incarnation: number;
  /** An email, or a group's name; empty for `anonymous`. */
  readonly name: string;
}

/** The event that a fact comes from. */
export interface FactSource {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  /** ISO instant: what the log's clock shows at it. */
  readonly time: string;
  /** ISO instant that the event itself carries. */
  readonly recordedTime: string;
  readonly by: string;
}

/** What an event made so: the rows that begin at its position. */
export interface OpenedFacts {
  readonly registrations: readonly number[];
  readonly memberships: readonly (readonly [person: number, group: number])[];
  readonly nestings: readonly (readonly [member: number, group: number])[];
  readonly names: readonly (readonly [group: number, principal: number])[];
  readonly grants: readonly (readonly [document: number, principal: number])[];
}

/** The permission history, to be read in one thread. */
export interface PermissionHistory {
  /** Up to where the log is in it. */
  position(): number;
  /** Everything that was ever so up to a position that is reached. */
  upTo(position: number): PermissionIntervals;
  /** What was so at this moment alone: edges that did not hold then are left out. */
  at(position: number): PermissionIntervals;
  /** The stream and revision of an event, and who asked for it; null where there is no event at this position. */
  source(position: number): FactSource | null;
  openedBy(position: number): OpenedFacts;
  /**
   * The position from which on nothing is known of a datasource, because an event of it is parked; null: everything is
   * known. Left out: of any.
   */
  suspendedFrom(datasourceId?: DatasourceId): number | null;
}
