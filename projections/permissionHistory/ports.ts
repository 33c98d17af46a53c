import type { ProjectionBatch } from "../ports.js";
import type { Position, Revision } from "../../src/shared/position.js";
import type { DocumentAccess } from "../../src/events/document.js";
import type { Member } from "../../src/events/membership.js";
import type { Scope } from "../../src/events/scope.js";
import type { StreamCategory } from "../../src/events/streams.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../src/shared/ids.js";

/** Where the intervals are kept. */
export interface PermissionHistoryStore {
  /** `beginning` where nothing was projected yet. */
  checkpoint(): Promise<Position>;
  /**
   * Applies the changes, which are in log order, and moves the checkpoint, in one transaction. `checkpointConflict`,
   * with nothing written, where the stored checkpoint is not `after`. Throws where a change is at fault, or
   * `EngineUnavailable`. With `staysOpen` the transaction goes on with the next call, for whose changes the same holds;
   * `checkpoint` takes back what is open.
   */
  write(batch: ProjectionBatch<PermissionHistoryChange>, staysOpen: boolean): Promise<"applied" | "checkpointConflict">;
}

/** What one event opens or closes. An event that says what is so already opens nothing, so an interval goes on. */
export type PermissionChange =
  | { readonly kind: "incarnationOpened"; readonly datasourceId: DatasourceId; readonly name: DatasourceName }
  /** Closes everything in it. */
  | { readonly kind: "incarnationClosed"; readonly datasourceId: DatasourceId }
  | {
      readonly kind: "personRegistered";
      readonly datasourceId: DatasourceId;
      readonly email: Email;
      readonly name: string | null;
    }
  /** For lists of who is registered. */
  | {
      readonly kind: "personRenamed";
      readonly datasourceId: DatasourceId;
      readonly email: Email;
      readonly name: string;
    }
  /** Closes the registration, and the memberships that are left. */
  | { readonly kind: "personDeleted"; readonly datasourceId: DatasourceId; readonly email: Email }
  /** Created or renamed: opens the name and closes the previous one. */
  | {
      readonly kind: "groupNamed";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly name: string;
    }
  /** Closes the name. */
  | { readonly kind: "groupDeleted"; readonly datasourceId: DatasourceId; readonly groupId: GroupId }
  | {
      readonly kind: "memberJoined";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly member: Member;
    }
  | {
      readonly kind: "memberLeft";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly member: Member;
    }
  /** People alone; of those who joined, only the registered ones. */
  | {
      readonly kind: "membersReplaced";
      readonly datasourceId: DatasourceId;
      readonly groupId: GroupId;
      readonly joined: readonly Email[];
      readonly left: readonly Email[];
    }
  /** Opens the document where there is none, and opens and closes grants until they are these. */
  | {
      readonly kind: "documentIndexed";
      readonly datasourceId: DatasourceId;
      readonly documentId: DocumentId;
      readonly access: DocumentAccess;
      readonly lastModified: string | null;
      readonly title: string;
    }
  /** Closes the document and its grants. */
  | { readonly kind: "documentDeleted"; readonly datasourceId: DatasourceId; readonly documentId: DocumentId }
  /**
   * An event of the datasource is parked. What was so before stays known; what is so from here on is not, and nothing
   * else that happens to it is followed. null: nobody knows which datasource the event was about, so no question about
   * any can be answered.
   */
  | { readonly kind: "datasourceSuspended"; readonly datasourceId: DatasourceId | null };

/** Where a change comes from: enough to name the event, and who asked for it. */
export interface EventOrigin {
  readonly position: Position;
  readonly category: StreamCategory;
  /** The stream's name after the category's hyphen. */
  readonly streamId: string;
  readonly revision: Revision;
  /** The event's type, as it is stored. */
  readonly type: string;
  /** Epoch milliseconds at which the command was decided; null where the event does not say. */
  readonly at: number | null;
  /** The credential that asked for it; `operator` for the command line. */
  readonly by: string;
}

/** One event as the permission history keeps it. */
export interface FollowedEvent {
  readonly origin: EventOrigin;
  /** null: the event is about something else, and only moves the log's clock. */
  readonly change: PermissionChange | null;
  /** Set while a scope is projected afresh: the change is written whatever is there, and whatever is suspended. */
  readonly anew?: true;
}

/** What can be made afresh. Numbers that were given to names stay. */
export type HistoryScope = Exclude<Scope, { readonly kind: "stream" }>;

/** What was known of a scope is forgotten. Nobody sees what follows before the scope is whole again. */
interface ScopeForgotten {
  readonly forgotten: HistoryScope;
}

export type PermissionHistoryChange = FollowedEvent | ScopeForgotten;
