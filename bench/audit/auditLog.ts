import { randomUUID } from "node:crypto";
import type { AppendOutcome } from "../../commands/ports.js";
import { openSqliteEventLog } from "../../src/adapters/log/sqlite/openSqliteEventLog.js";
import type { DocumentAccess } from "../../src/events/document.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import {
  datasourceStream,
  documentStream,
  groupGraphStream,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import {
  toCredentialId,
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toEmail,
  toGroupId,
  type DocumentId,
  type Email,
} from "../../src/shared/ids.js";
import { seededRandom } from "../corpus.js";
import { untilAppended } from "../untilAppended.js";
import { datasourceRegistered } from "../datasourceRegistered.js";

/**
 * How large the log is. Events beyond what the rest needs are changes: documents indexed again, people who come and go.
 */
export interface AuditLogSize {
  readonly events: number;
  readonly documents: number;
  readonly people: number;
  readonly groups: number;
}

/** The one datasource of the log. */
export const datasource = toDatasourceName("archive");
export const datasourceId = toDatasourceId("archive0000000000001");
export const emailOf = (person: number): Email => toEmail(`person${person}@example.org`);
export const documentIdOf = (document: number): DocumentId => toDocumentId(`document-${document}`);

const groupIdOf = (group: number) => toGroupId(group.toString(16).padStart(20, "0"));
const nameOf = (group: number): string => `group-${group}`;
const levels = 8;
const groupsPerPerson = 5;
const concurrency = 2_000;
/** Milliseconds from one event to the next, on the log's own clock. */
const tickMs = 250;
/** The first event's. */
export const logBegins = Date.parse("2025-01-01T00:00:00.000Z");

/** When the last event was decided. */
export const logEnds = ({ events }: AuditLogSize): number => logBegins + events * tickMs;

interface Written {
  readonly stream: StreamName;
  readonly event: DomainEvent;
}

/** Writes the log as the service would, one append per event. Answers with the number of events. */
export async function recordAuditLog(
  file: string,
  size: AuditLogSize,
  report: (line: string) => void,
): Promise<number> {
  const log = await openSqliteEventLog({ file });
  const revisions = new Map<StreamName, number>();
  const by = toCredentialId("benchmark123");
  let underWay: Promise<AppendOutcome>[] = [];
  let count = 0;
  for (const { stream, event } of history(size)) {
    const revision = revisions.get(stream);
    revisions.set(stream, (revision ?? -1) + 1);
    const metadata = {
      at: new Date(logBegins + count * tickMs).toISOString(),
      by,
      correlationId: `request-${count}`,
      causationId: `request-${count}`,
    };
    underWay.push(
      log.append({ stream, expectedRevision: revision ?? "noStream", events: [{ id: randomUUID(), event, metadata }] }),
    );
    if (++count % 100_000 === 0) report(`writing the log: ${count.toLocaleString("en")} events`);
    if (underWay.length < concurrency) continue;
    await untilAppended(underWay);
    underWay = [];
  }
  await untilAppended(underWay);
  await log.close();
  return count;
}

/**
 * Groups in levels, people in the lower ones, documents for a few groups or people or for everybody, then a long time
 * of changes.
 */
function* history(size: AuditLogSize): Generator<Written> {
  const random = seededRandom(17);
  const below = (limit: number): number => Math.floor(random() * limit);
  let left = size.events;
  const foundation = [...organisation(size, below)];
  yield* foundation;
  left -= foundation.length;
  for (let document = 0; document < size.documents && left > 0; document++, left--)
    yield indexed(document, accessOf(size, below));
  const members = new Set<number>();
  for (; left > 0; left--) {
    const kind = below(10);
    if (kind < 5) yield indexed(below(size.documents), accessOf(size, below));
    else {
      const [person, group] = [below(size.people), lowGroup(size, below)];
      const key = person * size.groups + group;
      const type = members.has(key) ? "MembershipRemoved" : "MembershipAdded";
      if (!members.delete(key)) members.add(key);
      yield membership(type, person, group);
    }
  }
}

function* organisation({ groups, people }: AuditLogSize, below: (limit: number) => number): Generator<Written> {
  const perLevel = Math.ceil(groups / levels);
  yield {
    stream: datasourceStream(datasource),
    event: datasourceRegistered(datasourceId, datasource),
  };
  const graph = groupGraphStream(datasourceId);
  for (let group = 0; group < groups; group++)
    yield {
      stream: graph,
      event: { type: "GroupCreated", data: { datasourceId, groupId: groupIdOf(group), name: nameOf(group) } },
    };
  for (let group = perLevel; group < groups; group++) {
    const above = (Math.floor(group / perLevel) - 1) * perLevel + below(perLevel);
    yield {
      stream: graph,
      event: {
        type: "MembershipAdded",
        data: { datasourceId, groupId: groupIdOf(above), member: { kind: "group", groupId: groupIdOf(group) } },
      },
    };
  }
  for (let person = 0; person < people; person++) {
    yield {
      stream: userStream(datasourceId, emailOf(person)),
      event: { type: "UserRegistered", data: { datasourceId, email: emailOf(person), name: null } },
    };
  }
}

/** People belong to groups of the lower half, or, one time in a hundred, to any. */
const lowGroup = ({ groups }: AuditLogSize, below: (limit: number) => number): number =>
  below(100) === 0 ? below(groups) : Math.floor(groups / 2) + below(Math.ceil(groups / 2));

function membership(type: "MembershipAdded" | "MembershipRemoved", person: number, group: number): Written {
  const email = emailOf(person);
  return {
    stream: userStream(datasourceId, email),
    event: { type, data: { datasourceId, groupId: groupIdOf(group), member: { kind: "user", email } } },
  };
}

/** One document in fifty for everybody, the others for one to three groups, every fifth for a person besides. */
function accessOf({ groups, people }: AuditLogSize, below: (limit: number) => number): DocumentAccess {
  if (below(50) === 0) return { anonymous: true, users: [], groups: [] };
  const granted = new Set(Array.from({ length: 1 + below(groupsPerPerson - 2) }, () => nameOf(below(groups))));
  return { anonymous: false, users: below(5) === 0 ? [emailOf(below(people))] : [], groups: [...granted].sort() };
}

function indexed(document: number, access: DocumentAccess): Written {
  const documentId = documentIdOf(document);
  const event: DomainEvent = {
    type: "DocumentIndexed",
    data: {
      datasourceId,
      datasource,
      documentId,
      access,
      title: `Document ${document}`,
      content: { sha256: "3fc2118d352cbb01db0d8b015d9df5926e416c4b75379601277187da80329c6b", bytes: 8 },
      mimeType: "text/plain",
      size: 8,
      fileType: "page",
      pathPreview: `https://archive.example.org/${document}`,
      path: null,
      author: null,
      lastModified: "2024-05-01T10:00:00Z",
      sub: null,
      childSub: null,
      customProperties: [],
      supersededContent: null,
      widenedToAnonymous: false,
    },
  };
  return { stream: documentStream(datasourceId, documentId), event };
}
