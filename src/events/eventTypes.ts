import type { EventType } from "./domainEvent.js";

/** Whether this program knows events of a type: a newer program may have written others. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(knownTypes, type);

/** Every type there is; the compiler sees to it that none is forgotten. */
const knownTypes: Readonly<Record<EventType, true>> = {
  DatasourceRegistered: true,
  DatasourceUpdated: true,
  DatasourceDeleted: true,
  SubAdded: true,
  SubRemoved: true,
  GroupCreated: true,
  GroupRenamed: true,
  MembershipAdded: true,
  MembershipRemoved: true,
  UserRegistered: true,
  UserRenamed: true,
  DocumentIndexed: true,
  DocumentDeleted: true,
  ServiceAccountCreated: true,
  ServiceAccountRevoked: true,
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
  ProjectionRebuildStarted: true,
  ProjectionCompared: true,
  ProjectionVersionAccepted: true,
  ProjectionRollbackStarted: true,
  ProjectionVersionActivated: true,
  ProjectionVersionDropped: true,
  ProjectionPaused: true,
  ProjectionResumed: true,
  ParkedEventRetried: true,
  ParkedEventDiscarded: true,
  ReadModelRepairRequested: true,
};
