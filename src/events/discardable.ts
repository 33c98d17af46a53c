import type { EventType } from "./domainEvent.js";
import type { ProjectionName } from "./projection.js";

/**
 * The events that a projection can do without: leaving one out makes less visible, not more. An event that is not
 * listed takes something away, or may do so. Discarding it could let people keep what they have lost, so it is never
 * discarded.
 */
export const discardable: { readonly [Name in ProjectionName]: readonly EventType[] } = {
  search: ["DatasourceRegistered", "DatasourceUpdated", "SubAdded", "SubRemoved", "DocumentIndexed", "DocumentDeleted"],
  groupClosure: [
    "DatasourceRegistered",
    "DatasourceUpdated",
    "SubAdded",
    "SubRemoved",
    "GroupCreated",
    "MembershipAdded",
    "UserRegistered",
    "UserRenamed",
  ],
  catalogue: ["DatasourceRegistered", "DatasourceUpdated", "SubAdded", "SubRemoved"],
  credentials: [
    "ServiceAccountCreated",
    "ServiceAccountUsed",
    "ApiKeyCreated",
    "ApiKeyUsed",
    "AccountCreated",
    "AccountRoleGiven",
    "AccountLinkIssued",
    "AccountEnabled",
    "SessionStarted",
    "SessionUsed",
  ],
  // An answer about the past that leaves something out is wrong, not safe. So only what says nothing of who may see
  // what is listed.
  permissionHistory: [
    "DatasourceUpdated",
    "SubAdded",
    "SubRemoved",
    "UserRenamed",
    "ServiceAccountCreated",
    "ServiceAccountBound",
    "ServiceAccountRotated",
    "ServiceAccountUsed",
    "ServiceAccountRevoked",
    "ApiKeyCreated",
    "ApiKeyUsed",
    "ApiKeyRevoked",
  ],
  contentErasure: ["DatasourceRegistered", "DatasourceUpdated", "SubAdded", "SubRemoved", "FileUploaded"],
};

/** Whether this projection can do without an event of this type; a type that is not known may take something away. */
export const isDiscardable = (projection: string, eventType: string): boolean =>
  (discardable as Readonly<Record<string, readonly string[]>>)[projection]?.includes(eventType) ?? false;
