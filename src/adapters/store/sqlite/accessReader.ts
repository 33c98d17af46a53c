import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { AccessReader, Checkpointed, HeldGroup, HeldPage, PersonOfDatasource } from "../../../../queries/ports.js";
import { toHeldTokens, type HeldTokens } from "../../../readModels/search.js";
import type { DatasourceId, Email, GroupId, PrincipalToken } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { contains, fromBytes, sortedIndexes, type SortedIndexes } from "../../../shared/sortedIndexes.js";
import { ClosureMemory, type KnownDatasource } from "./closureMemory.js";
import type { ReadModelConnection } from "./readModelConnection.js";

/** A person on an open datasource. */
interface Registration {
  readonly datasource: KnownDatasource;
  readonly token: PrincipalToken;
  /** Direct groups as stored. They are compared, to tell whether they changed. */
  readonly groups: Buffer;
  /** Direct groups and all their ancestors. */
  readonly closure: SortedIndexes;
}

interface KnownPerson {
  readonly registrations: readonly Registration[];
  /** null where they were not asked for yet. */
  readonly held: HeldTokens | null;
  /** The state of the file, and of the closure, as of which this is right. */
  dataVersion: number;
  epoch: number;
}

/** How many indexes and tokens of people are remembered: some 40 MB. */
const maxRemembered = 4_000_000;
const peoplePerPage = 1_000;
const groupsPerPage = 500;
/** How many groups are read in one turn of the event loop: some 3 ms. */
const groupsPerTurn = 1_000;

/**
 * Answers from memory for as long as the file has not changed (`PRAGMA data_version`). Where it has, the person's rows
 * and the closure's epochs, read in one snapshot, tell whether that concerns this person. So a commit of any thread or
 * process counts from the next turn of the event loop on, and the groups of one moment are never mixed with the
 * memberships of another.
 */
export class SqliteAccessReader implements AccessReader {
  private readonly progress: Checkpointed;
  private readonly memory: ClosureMemory;
  private readonly selectPerson;
  private readonly listPeople;
  private readonly listGroups;
  private refreshedAt = -1;
  private readonly known = new LRUCache<Email, KnownPerson>({ maxSize: maxRemembered, sizeCalculation: sizeOf });

  constructor(private readonly connection: ReadModelConnection) {
    this.progress = connection.progressOf("groupClosure");
    this.memory = new ClosureMemory(connection.database);
    this.selectPerson = connection.database
      .prepare<[string], readonly [datasource: number, token: PrincipalToken, groups: Buffer]>(
        "SELECT datasource, token, groups FROM closure_people WHERE email = ? AND registered = 1",
      )
      .raw();
    this.listPeople = connection.database.prepare<[string, string], PersonOfDatasource>(
      `SELECT p.email, d.datasource_id AS datasourceId
       FROM closure_people p JOIN closure_datasources d ON d.id = p.datasource
       WHERE p.registered = 1 AND (p.email, d.datasource_id) > (?, ?)
       ORDER BY p.email, d.datasource_id LIMIT ${peoplePerPage}`,
    );
    this.listGroups = connection.database
      .prepare<[string, string], readonly [datasource: number, index: number, groupId: GroupId, name: string]>(
        `SELECT datasource, idx, group_id, name FROM closure_groups
         WHERE (datasource, idx) > (CAST(? AS INTEGER), CAST(? AS INTEGER))
         ORDER BY datasource, idx LIMIT ${groupsPerPage}`,
      )
      .raw();
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async heldTokens(email: Email): Promise<HeldTokens> {
    const known = this.remembered(email)?.held;
    if (known !== undefined && known !== null) return known;
    return this.inTurns(() => {
      const person = this.read(email);
      return person === null ? null : this.unionOf(email, person);
    });
  }

  async holdsAny(datasource: DatasourceId, email: Email, tokens: readonly PrincipalToken[]): Promise<boolean> {
    const known = this.remembered(email);
    const answer = known && decide(known, datasource, tokens, (on, token) => on.indexes.get(token));
    if (answer !== undefined) return answer;
    return this.inTurns(() => {
      const person = this.read(email);
      return (
        person && (decide(person, datasource, tokens, (on, token) => this.memory.indexOfToken(on, token)) ?? false)
      );
    });
  }

  async isParked(datasource: DatasourceId): Promise<boolean> {
    if (this.connection.dataVersion() !== this.refreshedAt) this.connection.snapshot(() => this.refresh(0));
    return this.memory.byId(datasource)?.access === "suspended";
  }

  async people(after: string | null): Promise<HeldPage<PersonOfDatasource>> {
    const [email = "", datasourceId = ""] = after?.split("\n") ?? [];
    const items = this.listPeople.all(email, datasourceId);
    const last = items.length < peoplePerPage ? undefined : items.at(-1);
    return { items, next: last === undefined ? null : `${last.email}\n${last.datasourceId}` };
  }

  groups(after: string | null): Promise<HeldPage<HeldGroup>> {
    const [datasource = "-1", index = "-1"] = after?.split(" ") ?? [];
    return this.inTurns(() => {
      const rows = this.listGroups.all(datasource, index);
      const items: HeldGroup[] = [];
      for (const [key, place, groupId, name] of rows) {
        const of = this.memory.byKey(key);
        if (of === undefined) continue;
        const tokens = this.tokensAbove(of, place);
        if (tokens === null) return null;
        items.push({ datasourceId: of.datasourceId, groupId, name, tokens });
      }
      const last = rows.length < groupsPerPage ? undefined : rows.at(-1);
      return { items, next: last === undefined ? null : `${last[0]} ${last[1]}` };
    });
  }

  /** The tokens of a group and of all groups above it; null where the next turn has to read on. */
  private tokensAbove(datasource: KnownDatasource, index: number): readonly PrincipalToken[] | null {
    const closure = this.memory.closureOf(datasource, sortedIndexes([index]));
    if (closure === null) return null;
    const tokens: PrincipalToken[] = [];
    for (const above of closure) {
      const group = this.memory.group(datasource, above);
      if (group === null) return null;
      tokens.push(group.token);
    }
    return tokens;
  }

  /** To be called within a snapshot. */
  private refresh(mayRead: number): void {
    this.memory.refresh(mayRead);
    this.refreshedAt = this.connection.dataVersion();
  }

  /** undefined where nothing is remembered that still holds. */
  private remembered(email: Email): KnownPerson | undefined {
    const person = this.known.get(email);
    return person?.dataVersion === this.connection.dataVersion() ? person : undefined;
  }

  /** Reads within one snapshot. If that takes more groups than a turn may read, what was read serves the next turn. */
  private async inTurns<Value>(read: () => Value | null): Promise<Value> {
    for (let mayRead = groupsPerTurn; ; mayRead *= 2) {
      const value = this.connection.snapshot(() => {
        this.refresh(mayRead);
        return read();
      });
      if (value !== null) return value;
      await nextTurn();
    }
  }

  /** What is remembered of the person, brought up to this snapshot; null where the next turn has to read on. */
  private read(email: Email): KnownPerson | null {
    const before = this.known.get(email);
    const registrations: Registration[] = [];
    for (const [key, token, groups] of this.selectPerson.all(email)) {
      const datasource = this.memory.byKey(key);
      if (datasource === undefined || datasource.access !== "open") continue;
      const registration = this.stillRight(before, datasource, groups) ?? this.register(datasource, token, groups);
      if (registration === null) return null;
      registrations.push(registration);
    }
    const stamps = { dataVersion: this.refreshedAt, epoch: this.memory.epoch };
    if (before !== undefined && sameElements(before.registrations, registrations)) return Object.assign(before, stamps);
    const person: KnownPerson = { registrations, held: null, ...stamps };
    this.known.set(email, person);
    return person;
  }

  private stillRight(
    before: KnownPerson | undefined,
    datasource: KnownDatasource,
    groups: Buffer,
  ): Registration | undefined {
    const registration = before?.registrations.find((known) => known.datasource === datasource);
    if (before === undefined || registration === undefined || !registration.groups.equals(groups)) return undefined;
    return this.memory.unchangedSince(before.epoch, datasource, registration.closure) ? registration : undefined;
  }

  private register(datasource: KnownDatasource, token: PrincipalToken, groups: Buffer): Registration | null {
    const closure = this.memory.closureOf(datasource, fromBytes(groups));
    return closure && { datasource, token, groups, closure };
  }

  private unionOf(email: Email, person: KnownPerson): HeldTokens | null {
    if (person.held !== null) return person.held;
    const tokens: PrincipalToken[] = [];
    for (const { datasource, token, closure } of person.registrations) {
      tokens.push(datasource.token, token);
      for (const index of closure) {
        const group = this.memory.group(datasource, index);
        if (group === null) return null;
        tokens.push(group.token);
      }
    }
    const held = toHeldTokens(tokens);
    this.known.set(email, { ...person, held });
    return held;
  }
}

/** undefined where the decision depends on a token that `indexOf` does not know. */
function decide(
  { registrations }: KnownPerson,
  datasourceId: DatasourceId,
  tokens: readonly PrincipalToken[],
  indexOf: (datasource: KnownDatasource, token: PrincipalToken) => number | null | undefined,
): boolean | undefined {
  const registration = registrations.find(({ datasource }) => datasource.datasourceId === datasourceId);
  if (registration === undefined) return false;
  const { datasource, token: own, closure } = registration;
  if (tokens.includes(datasource.token) || tokens.includes(own)) return true;
  let isKnown = true;
  for (const token of tokens) {
    const index = indexOf(datasource, token);
    if (index === undefined) isKnown = false;
    else if (index !== null && contains(closure, index)) return true;
  }
  return isKnown ? false : undefined;
}

function sizeOf({ registrations, held }: KnownPerson): number {
  return registrations.reduce(
    (size, { closure, groups }) => size + 16 + closure.length + groups.length / 4,
    16 + 2 * (held?.tokens.length ?? 0),
  );
}

const sameElements = <Element>(a: readonly Element[], b: readonly Element[]): boolean =>
  a.length === b.length && a.every((element, place) => element === b[place]);
