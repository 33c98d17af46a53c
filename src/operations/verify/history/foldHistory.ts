import type { DatasourceEvent } from "../../../events/datasource.js";
import type { DocumentAccess } from "../../../events/document.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../../../shared/ids.js";
import { readLog, type LogStretch } from "../readLog.js";
import { Held, inShares, type SubjectBatch } from "../share.js";
import type { SubjectChoice } from "../subjects.js";
import { FoldedAspects } from "./spans.js";
import { aspects, historyKey, subjectNamed, type HistorySubject } from "./subjects.js";

/** A subject, and what the log says of it. */
export interface FoldedSubject {
  readonly subject: HistorySubject;
  readonly expected: FoldedAspects;
}

/**
 * All names of datasources, with when each registration held; folded here on its own, as everything that proves
 * something wrong.
 */
export class FoldedRegistrations {
  readonly byName = new Map<DatasourceName, FoldedAspects>();
  private readonly names = new Map<DatasourceId, DatasourceName>();

  static async read(stretch: Omit<LogStretch, "categories">): Promise<FoldedRegistrations> {
    const folded = new FoldedRegistrations();
    for await (const events of readLog({ ...stretch, categories: ["datasource"] })) {
      for (const event of events) folded.follow(event as RecordedEvent<DatasourceEvent>);
    }
    return folded;
  }

  nameOf(datasourceId: DatasourceId): DatasourceName | undefined {
    return this.names.get(datasourceId);
  }

  ids(): Iterable<DatasourceId> {
    return this.names.keys();
  }

  private follow({ event, position }: RecordedEvent<DatasourceEvent>): void {
    const { datasourceId } = event.data;
    if (event.type === "DatasourceRegistered") {
      this.names.set(datasourceId, event.data.name);
      const folded = this.byName.get(event.data.name) ?? new FoldedAspects();
      folded.open(aspects.registrationOf(datasourceId), Number(position));
      this.byName.set(event.data.name, folded);
    } else if (event.type === "DatasourceDeleted") {
      this.byName.get(event.data.name)?.close(aspects.registrationOf(datasourceId), Number(position));
    }
  }
}

export interface HistoryReading {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly choice: SubjectChoice;
  /** How many intervals and things one reading of the log may hold. */
  readonly maxHeld: number;
}

/** A part of all subjects, by their keys: those whose place in the sample it covers. */
export type HistoryShare = Held<FoldedAspects>;

/**
 * Every document, person and group that the log ever named, of all registrations. `eachShare` is called with each part
 * of them after its subjects.
 */
export const foldedSubjects = (
  reading: HistoryReading,
  eachShare: (share: HistoryShare) => AsyncIterable<readonly FoldedSubject[]>,
): AsyncGenerator<SubjectBatch<FoldedSubject>> =>
  inShares(
    reading.choice.part,
    (from) => gather(reading, from),
    async function* (share) {
      let subjects: FoldedSubject[] = [];
      for (const [key, expected] of share.values) {
        subjects.push({ subject: subjectNamed(key), expected });
        if (subjects.length < subjectsPerBatch) continue;
        yield subjects;
        subjects = [];
      }
      yield subjects;
      yield* eachShare(share);
    },
  );

const subjectsPerBatch = 100;

async function gather({ stretch, choice, maxHeld }: HistoryReading, from: number): Promise<HistoryShare> {
  const share: HistoryShare = new Held(choice.seed, from, choice.part, maxHeld, ({ weight }) => 1 + weight);
  for await (const events of readLog({ ...stretch, categories: ["groupGraph", "user", "document"] })) {
    for (const event of events) follow(share, choice, event);
  }
  return share;
}

function follow(share: HistoryShare, { only }: SubjectChoice, recorded: RecordedEvent): void {
  const subject = subjectOf(recorded);
  const key = subject === null ? null : historyKey(subject);
  if (key === null || (only !== null && !only.has(key)) || !share.covers(key)) return;
  const known = share.values.get(key);
  const folded = known ?? new FoldedAspects();
  if (known === undefined) share.values.set(key, folded);
  const before = folded.weight;
  fold(folded, recorded);
  share.add(folded.weight - before + (known === undefined ? 1 : 0));
}

/** To whom or what an event happens. */
function subjectOf({ event }: RecordedEvent): HistorySubject | null {
  switch (event.type) {
    case "DocumentIndexed":
    case "DocumentDeleted":
      return { kind: "document", datasourceId: event.data.datasourceId, documentId: event.data.documentId };
    case "UserRegistered":
      return { kind: "person", datasourceId: event.data.datasourceId, email: event.data.email };
    case "GroupCreated":
    case "GroupRenamed":
      return { kind: "group", datasourceId: event.data.datasourceId, groupId: event.data.groupId };
    case "MembershipAdded":
    case "MembershipRemoved": {
      const { datasourceId, member } = event.data;
      return member.kind === "user"
        ? { kind: "person", datasourceId, email: member.email }
        : { kind: "group", datasourceId, groupId: member.groupId };
    }
    default:
      return null;
  }
}

function fold(folded: FoldedAspects, { event, position: at }: RecordedEvent): void {
  const position = Number(at);
  if (event.type === "DocumentIndexed") {
    folded.open(aspects.existence, position);
    foldSet(folded, new Set(grantsIn(event.data.access)), (aspect) => aspect !== aspects.existence, position);
  } else if (event.type === "DocumentDeleted") foldSet(folded, new Set(), () => true, position);
  else if (event.type === "UserRegistered") folded.open(aspects.registration, position);
  else if (event.type === "MembershipAdded") folded.open(aspects.memberOf(event.data.groupId), position);
  else if (event.type === "MembershipRemoved") folded.close(aspects.memberOf(event.data.groupId), position);
  else if (event.type === "GroupCreated" || event.type === "GroupRenamed") {
    foldSet(
      folded,
      new Set([aspects.name(event.data.name)]),
      (aspect) => aspect.startsWith(aspects.name("")),
      position,
    );
  }
}

/** Of some aspects these hold from here on, and no others. */
function foldSet(
  folded: FoldedAspects,
  holding: ReadonlySet<string>,
  isOfThese: (aspect: string) => boolean,
  position: number,
): void {
  for (const aspect of folded.names()) if (isOfThese(aspect) && !holding.has(aspect)) folded.close(aspect, position);
  for (const aspect of holding) folded.open(aspect, position);
}

const grantsIn = ({ anonymous, users, groups }: DocumentAccess): readonly string[] => [
  ...(anonymous ? [aspects.grantTo("anonymous", "")] : []),
  ...users.map((email) => aspects.grantTo("user", email)),
  ...groups.map((name) => aspects.grantTo("group", name)),
];
