import type { DatasourceId, Email, GroupId, PrincipalToken } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { SortedIndexes } from "../../src/shared/sortedIndexes.js";
import type { ProjectionBatch } from "../ports.js";

/** A group as it is stored. Indexes count up from 0 within the datasource and are never used again. */
export interface GroupRow {
  readonly index: number;
  readonly groupId: GroupId;
  readonly name: string;
  /** The token of the group's present name. */
  readonly token: PrincipalToken;
  /** The groups to which it belongs directly. */
  readonly parents: SortedIndexes;
  /** The groups to which it belongs directly or through others. */
  readonly ancestors: SortedIndexes;
}

/** Groups of one datasource that are different now, each in one of the lists, in the order of their indexes. */
export interface GroupRows {
  /** Groups that are new or have a new name. They may also have another place. */
  readonly named: readonly GroupRow[];
  /** Groups with the same name, of which only parents or ancestors changed. One nesting can move hundreds. */
  readonly moved: readonly GroupRow[];
}

/** A person on one datasource as it is stored. */
export interface PersonRow {
  readonly datasourceId: DatasourceId;
  readonly email: Email;
  /** Without registration nothing is held, whatever the groups. */
  readonly registered: boolean;
  readonly token: PrincipalToken;
  /** The groups to which the person belongs directly. */
  readonly groups: SortedIndexes;
}

export type PersonKey = Pick<PersonRow, "datasourceId" | "email">;

/** `open`: it answers. `suspended`: nobody holds its tokens, until it is projected afresh. Neither: it is gone. */
export type DatasourceAccess = "open" | "suspended";

/** What one transaction of the group closure holds: whole rows, each at most once. It may stand for many batches. */
export interface GroupClosureBatch extends Omit<ProjectionBatch<never>, "changes" | "moreToCome"> {
  readonly datasources: readonly {
    readonly datasourceId: DatasourceId;
    readonly anonymousToken: PrincipalToken;
    readonly access: DatasourceAccess;
  }[];
  readonly groups: ReadonlyMap<DatasourceId, GroupRows>;
  readonly people: readonly PersonRow[];
  /** Datasources that are gone with all their rows; they count after everything else. */
  readonly closed: readonly DatasourceId[];
}

/** How many changes, and people that they touch, are held in memory. */
export interface HoldingLimits {
  readonly changes: number;
  readonly people: number;
}

/**
 * The engine that holds the group closure. Reads see what was written last. If another process writes between a read
 * and the write that rests on it, that write is a `checkpointConflict`.
 */
export interface GroupClosureStore {
  /** What a catch-up may hold back for one transaction; the writer's own default where left out. */
  readonly holdingLimits?: HoldingLimits;
  checkpoint(): Promise<Position>;
  /** null: unknown, or closed. */
  access(datasourceId: DatasourceId): Promise<DatasourceAccess | null>;
  /** All groups of a datasource, in the order of their indexes. */
  groups(datasourceId: DatasourceId): Promise<readonly GroupRow[]>;
  /** The rows that there are, in no particular order. */
  people(keys: readonly PersonKey[]): Promise<readonly PersonRow[]>;
  /** One transaction with the checkpoint; `checkpointConflict` as for `ProjectionWriter`. */
  write(batch: GroupClosureBatch): Promise<"applied" | "checkpointConflict">;
}

/** A change in how a datasource's access is answered. */
export type DatasourceAccessChange =
  | { readonly kind: "datasourceOpened"; readonly datasourceId: DatasourceId }
  /** The incarnation is gone with its groups and people. */
  | { readonly kind: "datasourceClosed"; readonly datasourceId: DatasourceId }
  /**
   * An event of it is parked: nobody holds its tokens, and what else happens to it is not followed, until it is
   * projected afresh.
   */
  | { readonly kind: "datasourceSuspended"; readonly datasourceId: DatasourceId }
  /** It was closed and is projected afresh: still suspended, but what happens to it is followed. */
  | { readonly kind: "datasourceRestoring"; readonly datasourceId: DatasourceId }
  /** What began with `datasourceRestoring` is whole: the datasource answers again, unless it was closed on the way. */
  | { readonly kind: "datasourceRestored"; readonly datasourceId: DatasourceId };

/** A change among the groups of a datasource. */
export type GroupChange =
  /** Created, or renamed. */
  | {
      readonly kind: "groupNamed";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly name: string;
    }
  /** Nobody holds its token any more. */
  | { readonly kind: "groupDeleted"; readonly datasourceId: DatasourceId; readonly groupId: GroupId }
  | {
      readonly kind: "groupJoined";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly member: GroupId;
    }
  | {
      readonly kind: "groupLeft";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly member: GroupId;
    }
  /** Forgets all groups; the changes that follow tell them anew. */
  | { readonly kind: "groupsForgotten"; readonly datasourceId: DatasourceId };

/** A change of one person's registration or direct groups. */
export type PersonChange =
  /** Begins without groups. */
  | { readonly kind: "personRegistered"; readonly datasourceId: DatasourceId; readonly email: Email }
  /** Counts for nobody who is not registered. */
  | {
      readonly kind: "personJoined";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly email: Email;
    }
  | {
      readonly kind: "personLeft";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly email: Email;
    }
  /** Forgets registration and direct groups; the changes that follow tell them anew. */
  | { readonly kind: "personForgotten"; readonly datasourceId: DatasourceId; readonly email: Email };

/** What one event changes in who holds which tokens: facts with ids and names; tokens are minted by the writer. */
export type GroupClosureChange = DatasourceAccessChange | GroupChange | PersonChange;
