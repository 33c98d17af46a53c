import { match, P } from "ts-pattern";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import {
  accountStream,
  agentStream,
  answerStream,
  apiKeyStream,
  auditQuestionStream,
  datasourceStream,
  documentStream,
  fileStream,
  groupGraphStream,
  groupMembersStream,
  projectionStream,
  serviceAccountStream,
  sessionStream,
  syncRunStream,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import { toCredentialId, toDatasourceName } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";

/** ISO instant at which the events of tests happened. */
export const recordedAt = "2026-01-02T03:04:05.678Z";

/**
 * Events as a log would hold them: in their streams, at the positions after `after`, two apart (positions are not
 * gapless).
 */
export function recordEvents(events: readonly DomainEvent[], after = 0): readonly RecordedEvent[] {
  return events.map((event, index) => ({
    id: `event-${after}-${index}`,
    stream: streamOf(event),
    revision: index,
    position: toPosition(after + 2 * (index + 1)),
    event,
    metadata: { at: recordedAt, by: "operator", correlationId: "test", causationId: "test" },
  }));
}

function streamOf(event: DomainEvent): StreamName {
  return match(event)
    .with({ type: "DatasourceRegistered" }, { type: "DatasourceDeleted" }, ({ data }) => datasourceStream(data.name))
    .with({ type: P.union("DatasourceUpdated", "SubAdded", "SubRemoved") }, ({ data }) =>
      datasourceStream(toDatasourceName(data.datasourceId.replace(/-\d+$/, ""))),
    )
    .with({ type: P.union("GroupCreated", "GroupRenamed", "GroupDeleted") }, ({ data }) =>
      groupGraphStream(data.datasourceId),
    )
    .with({ type: P.union("UserRegistered", "UserRenamed", "UserDeleted") }, ({ data }) =>
      userStream(data.datasourceId, data.email),
    )
    .with({ type: "GroupMembersReplaced" }, ({ data }) => groupMembersStream(data.datasourceId))
    .with({ type: P.union("MembershipAdded", "MembershipRemoved") }, ({ data }) => membershipStream(data))
    .with({ type: P.union("DocumentIndexed", "DocumentDeleted") }, ({ data }) =>
      documentStream(data.datasourceId, data.documentId),
    )
    .with({ type: P.union("ServiceAccountCreated", "ServiceAccountBound", "ServiceAccountRevoked") }, ({ data }) =>
      serviceAccountStream(data.id),
    )
    .with({ type: P.union("ServiceAccountRotated", "ServiceAccountUsed") }, ({ data }) => serviceAccountStream(data.id))
    .with({ type: P.union("ApiKeyCreated", "ApiKeyUsed", "ApiKeyRevoked") }, ({ data }) => apiKeyStream(data.id))
    .with({ type: P.union("AccountCreated", "AccountRoleGiven", "AccountRoleTaken") }, ({ data }) =>
      accountStream(data.email),
    )
    .with({ type: P.union("AccountPasswordSet", "AccountLinkIssued", "AccountSessionsEnded") }, ({ data }) =>
      accountStream(data.email),
    )
    .with({ type: P.union("AccountDisabled", "AccountEnabled") }, ({ data }) => accountStream(data.email))
    .with({ type: P.union("SessionStarted", "SessionUsed", "SessionEnded") }, ({ data }) => sessionStream(data.id))
    .with(
      {
        type: P.union(
          "ProjectionRebuildStarted",
          "ProjectionCompared",
          "ProjectionVersionAccepted",
          "ProjectionRollbackStarted",
        ),
      },
      ({ data }) => projectionStream(data.projection),
    )
    .with(
      {
        type: P.union(
          "ProjectionVersionActivated",
          "ProjectionVersionDropped",
          "ProjectionPaused",
          "ProjectionResumed",
        ),
      },
      ({ data }) => projectionStream(data.projection),
    )
    .with({ type: P.union("ParkedEventRetried", "ParkedEventDiscarded", "ReadModelRepairRequested") }, ({ data }) =>
      projectionStream(data.projection),
    )
    .with({ type: "AuditQuestionAnswered" }, () => auditQuestionStream(toCredentialId("aud1")))
    .with({ type: P.union("SyncRunStarted", "DocumentsSeen", "SyncRunCommitted", "SyncRunAborted") }, ({ data }) =>
      syncRunStream(data.syncRunId),
    )
    .with({ type: P.union("FileUploaded", "FileErased") }, ({ data }) => fileStream(data.fileId))
    .with({ type: P.union("AgentCreated", "AgentUpdated", "AgentDeleted") }, ({ data }) => agentStream(data.agentId))
    .with({ type: "WebQuerySent" }, ({ data }) => answerStream(data.answerId))
    .exhaustive();
}

const membershipStream = ({ datasourceId, member }: MembershipEvent["data"]): StreamName =>
  member.kind === "user" ? userStream(datasourceId, member.email) : groupGraphStream(datasourceId);
