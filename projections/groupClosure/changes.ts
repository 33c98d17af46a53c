import type { DatasourceId, Email, GroupId } from "../../src/shared/ids.js";

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
