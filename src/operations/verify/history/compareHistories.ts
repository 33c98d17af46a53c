import type { DatasourceId, DatasourceName } from "../../../shared/ids.js";
import { beginning, type Position, toPosition } from "../../../shared/position.js";
import type { Checkpointed } from "../../../../queries/ports.js";
import { ReadersBehind } from "../compareReadModels.js";
import { differencesBetween } from "../answers.js";
import { placeInSample, type Sample } from "../sampling.js";
import type { SubjectChoice } from "../expectedSubjects.js";
import { AskedFacts, type HistoryAnswer } from "./askedFacts.js";
import type { HistoryComparison, HistoryDrift, HistoryLimits, HistoryReport, ComparedHistory } from "./comparison.js";
import { foldedSubjects, FoldedIncarnations, type FoldedSubject, type HistoryShare } from "./foldHistory.js";
import { aspects, historyKey, subjectNamed, type HistorySubject, type HistorySubjectKind } from "./historySubjects.js";
import type { PermissionIntervals } from "../../../audit/ports/permissionHistory.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { FoldedClock } from "../../../events/foldedClock.js";
import { categoriesOfFacts } from "../../../events/streams.js";
import { readLog, type LogStretch } from "../readLog.js";

const defaultLimits: HistoryLimits = { held: 500_000, drift: 10_000, reachMs: 60_000 };
const wholeLog: Sample = { part: 1, seed: "" };
/** The log tells nothing of what no event names. */
const untold: HistoryAnswer = new Map();
/** The id of no datasource: it is suspended where all datasources are. */
const anyOther = "" as DatasourceId;
/** A few milliseconds' work. */
const subjectsAtOnce = 32;
/** Passing over this many edges takes as long as comparing one subject. */
const edgesPerSubject = 20;

/**
 * Asks a permission history for every document, person, group, datasource and event that the log ever named, and tells
 * what it answers otherwise than the log says or than another version does. All of it is as of one position, so what
 * others write meanwhile does not matter. Rejects where a history does not come as far as the log.
 */
export async function compareHistories(comparison: HistoryComparison): Promise<HistoryReport> {
  const position = await comparison.log.head();
  const limits = { ...defaultLimits, ...comparison.limits };
  for (const { clock } of [comparison.served, ...(comparison.against === undefined ? [] : [comparison.against])])
    await untilReached(clock, position, limits.reachMs);
  const incarnations = await FoldedIncarnations.read({
    log: comparison.log,
    after: beginning,
    upTo: position,
    signal: comparison.signal,
  });
  return new HistoryRun(comparison, limits, position, incarnations).run();
}

/** Waits as long as the position moves. */
async function untilReached(clock: Checkpointed, position: Position, reachMs: number): Promise<void> {
  for (let before = await clock.position(); !(await clock.reached(position, reachMs));) {
    const now = await clock.position();
    if (now === before) throw new ReadersBehind(position, reachMs);
    before = now;
  }
}

class HistoryRun {
  private readonly compared: Record<HistorySubjectKind, number> = {
    document: 0,
    person: 0,
    group: 0,
    datasource: 0,
    event: 0,
  };
  private readonly drift: HistoryDrift[] = [];
  private readonly served: AskedFacts;
  private readonly against: AskedFacts | null;
  private readonly suspended = new Map<DatasourceId, boolean>();
  private readonly documents = new Map<DatasourceId, Set<number>>();
  private readonly groupNames = new Map<DatasourceId, Set<string>>();
  private sinceRest = 0;
  private done = 0;

  constructor(
    private readonly comparison: HistoryComparison,
    private readonly limits: HistoryLimits,
    private readonly position: Position,
    private readonly incarnations: FoldedIncarnations,
  ) {
    this.served = new AskedFacts(this.facts);
    this.against =
      comparison.against === undefined ? null : new AskedFacts(comparison.against.history.upTo(Number(position)));
  }

  async run(): Promise<HistoryReport> {
    for (const { subject, expected } of this.datasources()) await this.compare(subject, expected);
    const reading = { stretch: this.stretch, choice: this.choice, maxHeld: this.limits.held };
    for await (const { subjects, done } of foldedSubjects(reading, (share) => this.unnamedIn(share))) {
      this.done = done / 2;
      for (const { subject, expected } of subjects) await this.compare(subject, expected);
      if (!this.isComplete) break;
    }
    if (this.choice.only === null) await this.compareOtherDocuments();
    await this.compareEvents();
    const { position, compared, drift, isComplete: complete } = this;
    const suspended = [...this.everRegistered()].filter(({ datasourceId }) => this.isUnknown(datasourceId));
    return { position, compared, drift, suspended, isSuspended: this.isSuspended(anyOther), complete };
  }

  private get facts() {
    return this.comparison.served.history.upTo(Number(this.position));
  }

  private get stretch() {
    const { log, signal } = this.comparison;
    return { log, after: beginning, upTo: this.position, signal };
  }

  private get choice(): SubjectChoice {
    return { ...(this.comparison.sample ?? wholeLog), only: this.comparison.only ?? null };
  }

  private get isComplete(): boolean {
    return this.drift.length < this.limits.drift;
  }

  private isUnknown(datasourceId: DatasourceId): boolean {
    const isUnknown = this.suspended.get(datasourceId) ?? this.isSuspended(datasourceId);
    this.suspended.set(datasourceId, isUnknown);
    return isUnknown;
  }

  private isSuspended(datasourceId: DatasourceId): boolean {
    const { served, against } = this.comparison;
    return [served, ...(against === undefined ? [] : [against])].some(
      ({ history }) => (history.suspendedFrom(datasourceId) ?? Number.POSITIVE_INFINITY) <= Number(this.position),
    );
  }

  private isChosen(key: string): boolean {
    const { part, seed, only } = this.choice;
    return (only === null || only.has(key)) && placeInSample(seed, key) < part;
  }

  private *datasources(): Generator<FoldedSubject> {
    const names = new Set([...this.incarnations.names(), ...this.served.names(), ...(this.against?.names() ?? [])]);
    for (const name of names) {
      const subject: HistorySubject = { kind: "datasource", name };
      if (this.isChosen(historyKey(subject))) yield { subject, expected: this.incarnations.answer(name) };
    }
  }

  /** Subjects that the served history knows and no event names. */
  private async *unnamedIn(share: HistoryShare): AsyncGenerator<readonly FoldedSubject[]> {
    const { only } = this.choice;
    const isNamed = (key: string): boolean => !share.covers(key) || share.values.has(key);
    const nothing = (subjects: readonly HistorySubject[]): readonly FoldedSubject[] =>
      subjects.map((subject) => ({ subject, expected: untold }));
    if (only !== null)
      yield nothing(
        notNamed([...only].filter((key) => /^(document|person|group) /.test(key)).map(subjectNamed), isNamed),
      );
    for (const [datasourceId, incarnation] of only === null ? this.servedRegistrations() : []) {
      for (const people of registeredPeople(this.facts, incarnation, datasourceId)) {
        await this.restAfter(people.length / edgesPerSubject);
        yield nothing(notNamed(people, isNamed));
      }
    }
  }

  private async compareOtherDocuments(): Promise<void> {
    for (const [datasourceId, incarnation] of this.servedRegistrations()) {
      const known = {
        numbers: this.documents.get(datasourceId) ?? new Set<number>(),
        groupNames: this.groupNames.get(datasourceId) ?? [],
      };
      for (const { others, looked } of otherDocuments(this.facts, incarnation, datasourceId, known)) {
        // Numbers are remembered of those that were compared; the others may be named all the same.
        for (const subject of notNamed(others, (key) => !this.isChosen(key))) await this.compare(subject, untold);
        await this.restAfter(1 + looked / edgesPerSubject);
        if (!this.isComplete) return;
      }
    }
  }

  private *servedRegistrations(): Generator<readonly [DatasourceId, number]> {
    for (const datasourceId of this.incarnations.ids()) {
      const incarnation = this.served.incarnation(datasourceId);
      if (incarnation !== null && !this.isUnknown(datasourceId)) yield [datasourceId, incarnation];
    }
  }

  private async compare(subject: HistorySubject, expected: HistoryAnswer): Promise<void> {
    if (subject.kind === "event" || !this.isComplete || this.isSuspendedOf(subject)) return;
    this.remember(subject, expected);
    const should = this.against === null ? expected : this.against.answer(subject, expected.keys());
    this.note(subject, should, this.served.answer(subject, expected.keys()));
    await this.restAfter(1);
  }

  private isSuspendedOf(subject: HistorySubject): boolean {
    if (subject.kind === "event") return false;
    if (subject.kind !== "datasource") return this.isUnknown(subject.datasourceId);
    return [...this.everRegistered()].some(
      ({ name, datasourceId }) => name === subject.name && this.isUnknown(datasourceId),
    );
  }

  /** Every incarnation with its name: from the log, or from the history where the event cannot be read. */
  private *everRegistered(): Generator<{ readonly name: DatasourceName; readonly datasourceId: DatasourceId }> {
    for (const datasourceId of this.incarnations.ids())
      yield { name: this.incarnations.nameOf(datasourceId) as DatasourceName, datasourceId };
    for (const { name, datasourceId } of this.facts.incarnations())
      if (this.incarnations.nameOf(datasourceId) === undefined) yield { name, datasourceId };
  }

  /** Which numbers and names have been asked for. */
  private remember(subject: HistorySubject, expected: HistoryAnswer): void {
    if (subject.kind === "document") {
      const incarnation = this.served.incarnation(subject.datasourceId);
      const number = incarnation === null ? null : this.facts.document(incarnation, subject.documentId);
      if (number !== null) entryOf(this.documents, subject.datasourceId).add(number);
    } else if (subject.kind === "group") {
      const prefix = aspects.name("");
      for (const aspect of expected.keys())
        if (aspect.startsWith(prefix)) entryOf(this.groupNames, subject.datasourceId).add(aspect.slice(prefix.length));
    }
  }

  private note(subject: HistorySubject, should: HistoryAnswer, does: HistoryAnswer): void {
    this.compared[subject.kind]++;
    const noPrincipals = new Set<never>();
    const differences = differencesBetween(
      { facts: should, principals: noPrincipals },
      { facts: does, principals: noPrincipals },
    );
    if (differences.length === 0) return;
    const hasRegistration = !("datasourceId" in subject) || this.served.incarnation(subject.datasourceId) !== null;
    const registeredAs = "datasourceId" in subject ? (this.incarnations.nameOf(subject.datasourceId) ?? null) : null;
    this.drift.push({ subject, name: this.nameOf(subject, should, does), differences, hasRegistration, registeredAs });
  }

  private nameOf(subject: HistorySubject, should: HistoryAnswer, does: HistoryAnswer): string {
    if (subject.kind === "event") return String(subject.position);
    if (subject.kind === "datasource") return subject.name;
    const datasource = this.incarnations.nameOf(subject.datasourceId) ?? subject.datasourceId;
    if (subject.kind === "document") return `${datasource}/${subject.documentId}`;
    if (subject.kind === "person") return `${subject.email} on ${datasource}`;
    const prefix = aspects.name("");
    const names = [...should.keys(), ...does.keys()].filter((aspect) => aspect.startsWith(prefix));
    return `${names.at(0)?.slice(prefix.length) ?? subject.groupId} on ${datasource}`;
  }

  private async compareEvents(): Promise<void> {
    const { comparison, stretch, position } = this;
    for await (const { subject, should, does, done } of compareEvents({
      ...comparison,
      stretch,
      isChosen: (key) => this.isChosen(key),
    })) {
      this.done = 0.5 + Number(done) / Number(position) / 2;
      this.note(subject, should, does);
      await this.restAfter(1);
      if (!this.isComplete) return;
    }
  }

  private async restAfter(subjects: number): Promise<void> {
    this.sinceRest += subjects;
    if (this.sinceRest < subjectsAtOnce) return;
    this.sinceRest = 0;
    const { onProgress, rest, signal } = this.comparison;
    onProgress?.({ compared: Object.values(this.compared).reduce((sum, count) => sum + count, 0), done: this.done });
    await rest?.();
    signal?.throwIfAborted();
  }
}

function entryOf<Key, Value>(map: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const known = map.get(key) ?? new Set<Value>();
  map.set(key, known);
  return known;
}

const peopleAtOnce = 500;

/** The people that a history knows to be registered. */
function* registeredPeople(
  facts: PermissionIntervals,
  incarnation: number,
  datasourceId: DatasourceId,
): Generator<readonly HistorySubject[]> {
  for (let after = ""; ;) {
    const people = facts.people(incarnation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    yield people.map(({ email }) => ({ kind: "person", datasourceId, email }));
  }
}

/** Documents of one principal. */
interface OtherDocuments {
  readonly others: readonly HistorySubject[];
  /** How many were looked at. */
  readonly looked: number;
}

/**
 * Documents that are granted to everybody, to a registered person or to a group by one of these names, and are not
 * among the numbers.
 */
function* otherDocuments(
  facts: PermissionIntervals,
  incarnation: number,
  datasourceId: DatasourceId,
  known: { readonly numbers: ReadonlySet<number>; readonly groupNames: Iterable<string> },
): Generator<OtherDocuments> {
  const others = (principal: number | null): OtherDocuments => {
    const documents = principal === null ? [] : facts.grantsTo(principal);
    const found = new Set(documents.map(([document]) => document).filter((document) => !known.numbers.has(document)));
    return {
      looked: documents.length,
      others: Array.from(found, (document) => ({
        kind: "document",
        datasourceId,
        documentId: facts.documentIdOf(document),
      })),
    };
  };
  yield others(facts.principal(incarnation, "anonymous", ""));
  for (const name of known.groupNames) yield others(facts.principal(incarnation, "group", name));
  for (let after = ""; ;) {
    const people = facts.people(incarnation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    for (const { number } of people) yield others(number);
  }
}

/** The subjects whose names are not in the log, each once. */
function notNamed(subjects: readonly HistorySubject[], isNamed: (key: string) => boolean): readonly HistorySubject[] {
  const unnamed = subjects.filter((subject) => !isNamed(historyKey(subject)));
  return [...new Map(unnamed.map((subject) => [historyKey(subject), subject])).values()];
}

interface EventComparison {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly served: ComparedHistory;
  readonly against?: ComparedHistory;
  /** Takes the event's key. */
  isChosen(key: string): boolean;
}

interface ComparedEvent {
  readonly subject: HistorySubject;
  readonly should: HistoryAnswer;
  readonly does: HistoryAnswer;
  readonly done: Position;
}

/**
 * Compares, for each event, its place, who asked for it, and what the log's clock shows there and just before the next
 * one.
 */
async function* compareEvents({ stretch, served, against, isChosen }: EventComparison): AsyncGenerator<ComparedEvent> {
  const clock = new FoldedClock();
  let shows: number | null = null;
  let before: RecordedEvent | null = null;
  for await (const events of readLog({ ...stretch, categories: categoriesOfFacts, withUnreadable: true })) {
    for (const event of events) {
      const subject: HistorySubject = { kind: "event", position: Number(event.position) };
      const shown = shows;
      const at = Date.parse(event.metadata.at);
      shows = clock.tick(Number.isNaN(at) ? null : at).shows;
      if (event.unreadable === undefined && isChosen(historyKey(subject))) {
        const should = against === undefined ? expectedOf(event, shows, shown) : await told(against, event, before);
        yield { subject, should, does: await told(served, event, before), done: event.position };
      }
      before = event;
    }
  }
}

const clockAt = (time: number | null): string => (time === null ? "nothing" : new Date(time).toISOString());

/** `shown`: what the clock shows before; null before the first event. */
function expectedOf(
  { stream, revision, event, metadata: { at, by } }: RecordedEvent,
  shows: number,
  shown: number | null,
): HistoryAnswer {
  const source = {
    stream,
    revision,
    event: event.type,
    recordedTime: new Date(Number.isNaN(Date.parse(at)) ? shows : Date.parse(at)).toISOString(),
    by,
  };
  return answer(source, shows, shown);
}

async function told(
  { history, clock }: ComparedHistory,
  { position }: RecordedEvent,
  before: RecordedEvent | null,
): Promise<HistoryAnswer> {
  const source = history.source(Number(position));
  const isFirst = before === null;
  return answer(source, await clock.showed(position), isFirst ? null : await clock.showed(toPosition(position - 1n)));
}

function answer(
  source: Omit<NonNullable<ReturnType<ComparedHistory["history"]["source"]>>, "position" | "time"> | null,
  shows: number | null,
  shown: number | null,
): HistoryAnswer {
  const facts = new Map([
    ["clock", clockAt(shows)],
    ["clock before", clockAt(shown)],
  ]);
  if (source === null) return facts;
  const { stream, revision, event, recordedTime, by } = source;
  return new Map([
    ...facts,
    ["stream", stream],
    ["revision", String(revision)],
    ["event", event],
    ["time", recordedTime],
    ["by", by],
  ]);
}
