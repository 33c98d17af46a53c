import { match } from "ts-pattern";
import { incarnationTimeline, type IncarnationInterval } from "../../../audit/timeline/streamTimelines.js";
import { originOf, type Intervals, type Origin } from "../../../audit/timeline/intervals.js";
import { permissionFactsOf, type FactAbout } from "../../../audit/timeline/permissionFact.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { permissionCategories } from "../../../events/streams.js";
import type { DatasourceId, DatasourceName } from "../../../shared/ids.js";
import { readLog, type LogStretch } from "../readLog.js";
import { LogShare, inShares, type SubjectBatch } from "../sampling.js";
import type { SubjectChoice } from "../expectedSubjects.js";
import type { HistoryAnswer } from "./askedFacts.js";
import { intervalsInWords } from "./spans.js";
import { aspects, historyKey, subjectNamed, type HistorySubject } from "./historySubjects.js";
import { newSubjectTimeline, type SubjectFact, type SubjectTimeline } from "./subjectTimeline.js";

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
