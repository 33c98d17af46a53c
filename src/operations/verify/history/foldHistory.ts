import { match } from "ts-pattern";
import {
  incarnationTimeline,
  type IncarnationInterval,
  documentTimeline,
  type DocumentTimeline,
  type TimelineKind,
  personTimeline,
  type PersonTimeline,
  groupTimeline,
  type GroupTimeline,
} from "../../../audit/timeline/streamTimelines.js";
import { originOf, type Intervals, type Origin, openOf } from "../../../audit/timeline/intervals.js";
import { permissionFactsOf, type FactAbout, type PermissionSubject } from "../../../audit/timeline/permissionFact.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { permissionCategories } from "../../../events/streams.js";
import type { DatasourceId, DatasourceName } from "../../../shared/ids.js";
import { readLog, type LogStretch } from "../readLog.js";
import { LogShare, inShares, type SubjectBatch } from "../sampling.js";
import type { SubjectChoice } from "../expectedSubjects.js";
import type { HistoryAnswer } from "./askedFacts.js";
import { intervalsInWords } from "./comparison.js";
import { aspects, historyKey, subjectNamed, type HistorySubject } from "./historySubjects.js";

/** A subject, and what the log says of it. */
export interface FoldedSubject {
  readonly subject: HistorySubject;
  readonly expected: HistoryAnswer;
}

/** All names of datasources that the log ever knew, with when each incarnation held. */
export class FoldedIncarnations {
  private readonly byName = new Map<DatasourceName, Intervals<IncarnationInterval>>();
  private readonly nameById = new Map<DatasourceId, DatasourceName>();

  static async read(stretch: Omit<LogStretch, "categories">): Promise<FoldedIncarnations> {
    const folded = new FoldedIncarnations();
    for await (const events of readLog({ ...stretch, categories: ["datasource"] })) {
      for (const event of events) folded.follow(event);
    }
    return folded;
  }

  names(): Iterable<DatasourceName> {
    return this.byName.keys();
  }

  nameOf(datasourceId: DatasourceId): DatasourceName | undefined {
    return this.nameById.get(datasourceId);
  }

  ids(): Iterable<DatasourceId> {
    return this.nameById.keys();
  }

  /** When each incarnation of a name held. */
  answer(name: DatasourceName): HistoryAnswer {
    const incarnations = this.byName.get(name) ?? [];
    return new Map(
      incarnations.map((interval) => [aspects.registrationOf(interval.datasourceId), intervalsInWords([interval])]),
    );
  }

  private follow(recorded: RecordedEvent): void {
    for (const fact of permissionFactsOf(recorded.event))
      if (fact.about === "incarnation") this.followFact(fact, originOf(recorded));
  }

  private followFact(fact: FactAbout<"incarnation">, origin: Origin): void {
    const incarnations = this.byName.get(fact.name) ?? incarnationTimeline.empty();
    incarnationTimeline.follow(incarnations, fact, origin);
    if (fact.kind === "closed") return;
    this.byName.set(fact.name, incarnations);
    this.nameById.set(fact.datasourceId, fact.name);
  }
}

interface HistoryReading {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly choice: SubjectChoice;
  /** How many intervals and things one reading of the log may hold. */
  readonly maxHeld: number;
}

/** A part of all subjects, by their keys: those whose place in the sample it covers. */
export type HistoryShare = LogShare<SubjectTimeline>;

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
      for (const [key, timeline] of share.values) {
        subjects.push({ subject: subjectNamed(key), expected: timeline.answer() });
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
  const share: HistoryShare = new LogShare(choice.seed, from, choice.part, maxHeld, ({ weight }) => weight);
  for await (const events of readLog({ ...stretch, categories: permissionCategories })) {
    for (const recorded of events) followAll(share, choice, recorded);
  }
  return share;
}

function followAll(share: HistoryShare, choice: SubjectChoice, recorded: RecordedEvent): void {
  for (const fact of permissionFactsOf(recorded.event))
    if (fact.about !== "incarnation") follow(share, choice, fact, originOf(recorded));
}

function follow(share: HistoryShare, { only }: SubjectChoice, fact: SubjectFact, origin: Origin): void {
  const key = historyKey(subjectOf(fact));
  if ((only !== null && !only.has(key)) || !share.covers(key)) return;
  const known = share.values.get(key);
  const timeline = known ?? newSubjectTimeline(fact.about);
  if (known === undefined) share.values.set(key, timeline);
  const before = known === undefined ? 0 : timeline.weight;
  timeline.follow(fact, origin);
  share.add(timeline.weight - before);
}

/** The subject of a fact. */
const subjectOf = (fact: SubjectFact): HistorySubject =>
  match(fact)
    .returnType<HistorySubject>()
    .with({ about: "document" }, ({ datasourceId, documentId }) => ({ kind: "document", datasourceId, documentId }))
    .with({ about: "person" }, ({ datasourceId, email }) => ({ kind: "person", datasourceId, email }))
    .with({ about: "group" }, ({ datasourceId, groupId }) => ({ kind: "group", datasourceId, groupId }))
    .exhaustive();

/** What happens to people, groups and documents. */
type SubjectFact = FactAbout<"person" | "group" | "document">;

/** What the log tells of one person, group or document. */
interface SubjectTimeline {
  follow(fact: SubjectFact, origin: Origin): void;
  /** Aspect by aspect, in the order in which they began. */
  answer(): HistoryAnswer;
  /** About one per thing it remembers; at least one. */
  readonly weight: number;
}

/** The timeline of something of which nothing is told yet. */
const newSubjectTimeline = (about: SubjectFact["about"]): SubjectTimeline =>
  match(about)
    .returnType<SubjectTimeline>()
    .with("person", () => new TimelineInAspects(personTimeline, aspectsOfPerson))
    .with("group", () => new TimelineInAspects(groupTimeline, aspectsOfGroup))
    .with("document", () => new TimelineInAspects(documentTimeline, aspectsOfDocument))
    .exhaustive();

type AspectIntervals = readonly [aspect: string, intervals: Intervals];

class TimelineInAspects<About extends PermissionSubject, Timeline> implements SubjectTimeline {
  private readonly timeline: Timeline;

  constructor(
    private readonly kind: TimelineKind<About, Timeline>,
    private readonly aspectsOf: (timeline: Timeline) => readonly AspectIntervals[],
  ) {
    this.timeline = kind.empty();
  }

  follow(fact: SubjectFact, origin: Origin): void {
    this.kind.follow(this.timeline, fact as FactAbout<About>, origin);
  }

  answer(): HistoryAnswer {
    const began = ([, [first]]: AspectIntervals): number => Number(first?.opened.position);
    const told = this.aspectsOf(this.timeline).filter(([, intervals]) => intervals.length > 0);
    return new Map(
      told.toSorted((a, b) => began(a) - began(b)).map(([aspect, intervals]) => [aspect, intervalsInWords(intervals)]),
    );
  }

  get weight(): number {
    return this.kind.cacheCost(this.timeline);
  }
}

const aspectsOfPerson = ({ registrations, groups }: PersonTimeline): readonly AspectIntervals[] => [
  [aspects.registration, registrations],
  ...Array.from(groups, ([groupId, intervals]) => [aspects.memberOf(groupId), intervals] as const),
];

function aspectsOfGroup({ names, parents }: GroupTimeline): readonly AspectIntervals[] {
  const byName = new Map<string, Intervals>();
  for (const naming of names) openOf(byName, naming.name, naming);
  return [
    ...Array.from(byName, ([name, intervals]) => [aspects.name(name), intervals] as const),
    ...Array.from(parents ?? [], ([groupId, intervals]) => [aspects.memberOf(groupId), intervals] as const),
  ];
}

const aspectsOfDocument = ({
  existence,
  anonymous,
  users,
  groups,
  byDefault,
}: DocumentTimeline): readonly AspectIntervals[] => [
  [aspects.existence, existence],
  [aspects.byDefault, byDefault],
  [aspects.grantTo("anonymous", ""), anonymous],
  ...Array.from(users, ([email, intervals]) => [aspects.grantTo("user", email), intervals] as const),
  ...Array.from(groups, ([name, intervals]) => [aspects.grantTo("group", name), intervals] as const),
];
