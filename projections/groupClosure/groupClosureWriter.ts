import { beginning, type Position } from "../../src/shared/position.js";
import type { DatasourceId, GroupId } from "../../src/shared/ids.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";
import type { DatasourceAccessChange, GroupChange, GroupClosureChange } from "./changes.js";
import { Groups } from "./groups.js";
import { People } from "./people.js";
import type { DatasourceAccess, GroupClosureBatch, GroupClosureStore, GroupRow } from "./ports.js";

export interface GroupClosureWriterOptions {
  readonly store: GroupClosureStore;
  readonly tokens: PrincipalTokens;
}

/** Brings changes into the group closure, whichever engine holds it: follows them in memory, writes each touched row once. */
export function createGroupClosureWriter(options: GroupClosureWriterOptions): ProjectionWriter<GroupClosureChange> {
  return new GroupClosureWriter(options);
}

/** What a batch comes to, before rows are made of it. */
interface Gathered {
  readonly datasources: Map<DatasourceId, DatasourceAccess>;
  readonly groups: Map<DatasourceId, GroupChange[]>;
  readonly people: People;
  readonly closed: Set<DatasourceId>;
}

/**
 * Keeps what it has read of datasources and groups, as of the checkpoint that it wrote last; anything that did not go
 * as expected (another process wrote, a change is at fault, the engine failed) makes it forget and read again.
 */
class GroupClosureWriter implements ProjectionWriter<GroupClosureChange> {
  private readonly store: GroupClosureStore;
  private readonly tokens: PrincipalTokens;
  private readonly access = new Map<DatasourceId, DatasourceAccess | null>();
  private readonly groups = new Map<DatasourceId, Groups>();
  private memoryIsOf: Position = beginning;

  constructor({ store, tokens }: GroupClosureWriterOptions) {
    this.store = store;
    this.tokens = tokens;
  }

  checkpoint(): Promise<Position> {
    return this.store.checkpoint();
  }

  async apply(batch: ProjectionBatch<GroupClosureChange>): Promise<"applied" | "outrun"> {
    if (batch.after !== this.memoryIsOf) this.forget();
    try {
      const outcome = await this.store.write(await this.rowsOf(batch));
      if (outcome === "outrun") this.forget();
      else this.memoryIsOf = batch.position;
      return outcome;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private forget(): void {
    this.access.clear();
    this.groups.clear();
    this.memoryIsOf = beginning;
  }

  private async rowsOf({ after, position, parked, changes }: ProjectionBatch<GroupClosureChange>): Promise<GroupClosureBatch> {
    const gathered = await this.gather(changes);
    const groups = new Map<DatasourceId, readonly GroupRow[]>();
    for (const [datasourceId, ofDatasource] of gathered.groups) {
      groups.set(datasourceId, (await this.groupsOf(datasourceId)).follow(ofDatasource));
    }
    const { people, closed } = gathered;
    for (const datasourceId of people.datasources()) await this.groupsOf(datasourceId);
    const rows = people.follow(await this.store.people(people.keys()), (datasourceId, groupId) => this.indexOf(datasourceId, groupId));
    const datasources = Array.from(gathered.datasources, ([datasourceId, access]) => ({
      datasourceId,
      access,
      anonymousToken: this.tokens.anonymous(datasourceId),
    }));
    return { after, position, parked, datasources, groups, people: rows, closed: [...closed] };
  }

  private indexOf(datasourceId: DatasourceId, groupId: GroupId): number {
    return (this.groups.get(datasourceId) as Groups).indexOf(groupId);
  }

  /** Sorts changes by what they concern; those of a datasource that is not answered for are passed over. */
  private async gather(changes: readonly GroupClosureChange[]): Promise<Gathered> {
    const gathered: Gathered = { datasources: new Map(), groups: new Map(), people: new People(this.tokens), closed: new Set() };
    for (const change of changes) {
      let access = this.access.get(change.datasourceId);
      if (access === undefined) access = await this.readAccess(change.datasourceId);
      if (isDatasourceChange(change)) this.gatherDatasource(change, access, gathered);
      else if (access !== "open") continue;
      else if (isGroupChange(change)) pushTo(gathered.groups, change);
      else gathered.people.gather(change);
    }
    return gathered;
  }

  private gatherDatasource({ kind, datasourceId }: DatasourceAccessChange, access: DatasourceAccess | null, gathered: Gathered): void {
    if (kind === "datasourceClosed") {
      this.access.set(datasourceId, null);
      this.groups.delete(datasourceId);
      gathered.datasources.delete(datasourceId);
      gathered.groups.delete(datasourceId);
      gathered.people.drop(datasourceId);
      gathered.closed.add(datasourceId);
      return;
    }
    const next = kind === "datasourceSuspended" ? "suspended" : (access ?? "open");
    if (next === access) return;
    this.access.set(datasourceId, next);
    gathered.datasources.set(datasourceId, next);
  }

  private async readAccess(datasourceId: DatasourceId): Promise<DatasourceAccess | null> {
    const access = await this.store.access(datasourceId);
    this.access.set(datasourceId, access);
    return access;
  }

  private async groupsOf(datasourceId: DatasourceId): Promise<Groups> {
    const known = this.groups.get(datasourceId);
    if (known !== undefined) return known;
    const groups = new Groups(datasourceId, this.tokens, await this.store.groups(datasourceId));
    this.groups.set(datasourceId, groups);
    return groups;
  }
}

function isDatasourceChange(change: GroupClosureChange): change is DatasourceAccessChange {
  return change.kind === "datasourceOpened" || change.kind === "datasourceClosed" || change.kind === "datasourceSuspended";
}

function isGroupChange(change: GroupClosureChange): change is GroupChange {
  return change.kind === "groupNamed" || change.kind === "groupJoined" || change.kind === "groupLeft";
}

function pushTo(changesOf: Map<DatasourceId, GroupChange[]>, change: GroupChange): void {
  const known = changesOf.get(change.datasourceId);
  if (known === undefined) changesOf.set(change.datasourceId, [change]);
  else known.push(change);
}
