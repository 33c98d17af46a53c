import type { DocumentAccess } from "../../events/document.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { Email } from "../../shared/ids.js";
import { close, open, originOf, type Origin, type Timeline } from "./intervals.js";
import type { HistoryKind } from "./streamHistories.js";

/** A document of one datasource incarnation. A re-index that grants the same again closes nothing. */
export interface DocumentHistory {
  readonly existence: Timeline;
  readonly anonymous: Timeline;
  readonly users: Map<Email, Timeline>;
  /** By the names that the document grants, whoever bears them. */
  readonly groups: Map<string, Timeline>;
  /** Every version, in order. */
  readonly versions: Origin[];
}

/** The history in a document's stream. */
export const documentHistory: HistoryKind<DocumentHistory> = {
  empty: () => ({ existence: [], anonymous: [], users: new Map(), groups: new Map(), versions: [] }),
  follow(document, recorded: RecordedEvent) {
    const { event } = recorded;
    const origin = originOf(recorded);
    if (event.type === "DocumentIndexed") {
      document.versions.push(origin);
      keep(document.existence, true, origin);
      grant(document, event.data.access, origin);
    }
    if (event.type === "DocumentDeleted") {
      keep(document.existence, false, origin);
      grant(document, { anonymous: false, users: [], groups: [] }, origin);
    }
  },
  weigh: ({ versions, users, groups }) => 1 + versions.length + users.size + groups.size,
};

function grant({ anonymous, users, groups }: DocumentHistory, access: DocumentAccess, origin: Origin): void {
  keep(anonymous, access.anonymous, origin);
  keepOnly(users, access.users, origin);
  keepOnly(groups, access.groups, origin);
}

function keepOnly<Name extends string>(timelines: Map<Name, Timeline>, granted: readonly Name[], origin: Origin): void {
  const still = new Set(granted);
  for (const [name, timeline] of timelines) if (!still.has(name)) close(timeline, origin);
  for (const name of granted) open(timelines, name, { opened: origin, closed: null });
}

function keep(timeline: Timeline, isSo: boolean, origin: Origin): void {
  const isOpen = timeline.length > 0 && timeline.at(-1)?.closed === null;
  if (!isSo) close(timeline, origin);
  else if (!isOpen) timeline.push({ opened: origin, closed: null });
}
