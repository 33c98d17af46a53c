import type { EventSource } from "../../events/eventSource.js";
import type { Datasource } from "../../events/datasource.js";
import type { DatasourceId } from "../../shared/ids.js";
import { beginning, type Position } from "../../shared/position.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { Checkpointed } from "../../../queries/ports.js";
import { answerOfLog, answerOfReaders, differencesBetween, type Drift } from "./answers.js";
import { credentialSubjects } from "./credentialSubjects.js";
import { FoldedDatasources } from "./foldedDatasources.js";
import { documentSubjects } from "./documentSubjects.js";
import { FoldedGroups, groupSubjects } from "./foldedGroups.js";
import { personSubjects } from "./personSubjects.js";
import type { ComparedReaders } from "./ports.js";
import { pagesOf, keyOf, type ExpectedSubject, type SubjectKind } from "./expectedSubjects.js";
import { nameThePrincipals } from "./principalNames.js";
import { placeInSample, type Sample, type SubjectBatch } from "./sampling.js";
import { ChangedSince } from "./changedSince.js";

export interface Comparison {
  readonly log: EventSource;
  readonly tokens: PrincipalTokens;
  /** What is checked. Only what there are readers of is compared: `search` documents, `access` people, and so on. */
  readonly served: ComparedReaders;
  /** Another version, which is taken to be right; left out: what the log says, folded here afresh. */
  readonly against?: ComparedReaders;
  /** Left out: everything. */
  readonly sample?: Sample;
  /** Further: only subjects with these names; see `keyOf`. */
  readonly only?: ReadonlySet<string>;
  /** Called after each batch. */
  onProgress?(progress: ComparisonProgress): void;
  /** Waited for after each batch, so that others get their turn. */
  rest?(): Promise<void>;
  /** Ends the comparison with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ComparisonLimits>;
}

interface ComparisonProgress {
  readonly kind: SubjectKind;
  /** Subjects of this kind so far. */
  readonly compared: number;
  /** About how much of this kind is done: 0 to 1. */
  readonly done: number;
}

interface ComparisonLimits {
  /**
   * Documents, or people and memberships, that are in memory at a time: some 100 bytes each. More of them, more
   * readings of the log.
   */
  readonly held: number;
  /** With this many differences the comparison ends: something fundamental is wrong. */
  readonly drift: number;
  /** How long the readers may take to serve what is in the log at the start. */
  readonly reachMs: number;
}

export interface ComparisonReport {
  /** What was compared is as of this position, or later. */
  readonly position: Position;
  readonly compared: Readonly<Record<SubjectKind, number>>;
  readonly drift: readonly Drift[];
  /** Subjects that changed again whenever they were looked at: neither right nor wrong. */
  readonly unsettled: readonly ExpectedSubject[];
  /** Datasources whose people nobody answers for, since an event is parked. Their people were compared without them. */
  readonly suspended: readonly Pick<Datasource, "name" | "datasourceId">[];
  /** False where the limit of differences was reached and the rest was not looked at. */
  readonly complete: boolean;
}

/** What is to be compared does not come as far as the log. */
export class ReadersBehind extends Error {
  override readonly name = "ReadersBehind";

  constructor(position: Position, waitedMs: number) {
    super(
      `The read models did not come as far as the log (position ${position}) within ${Math.round(waitedMs / 1_000)} seconds. Look at their status, and try again once they have caught up.`,
    );
  }
}

const defaultLimits: ComparisonLimits = { held: 500_000, drift: 10_000, reachMs: 60_000 };
/** How many times something is compared that changes meanwhile. */
const rounds = 5;
const concurrentSubjects = 32;
const wholeLog: Sample = { part: 1, seed: "" };

/**
 * Asks readers for every document, person, datasource and credential (accounts and sessions too) that the log ever
 * named, those that are gone included, and for whatever they hold besides, groups with it; and tells what they answer
 * otherwise than the log says or than another version does. Reads the log in batches and holds a bounded part of it.
 * What others write meanwhile is no difference: a subject that has changed since is compared again. Rejects where the
 * readers do not come as far as the log, and where an engine cannot answer.
 */
export async function compareReadModels(comparison: Comparison): Promise<ComparisonReport> {
  const { log, tokens, signal } = comparison;
  const first = await Round.run(comparison, comparison.only ?? null);
  const confirmed = [...first.certain];
  let { open, isComplete } = first;
  for (let round = 1; round < rounds && open.length > 0; round++) {
    const again = await Round.run(comparison, new Set(open.map(({ subject }) => keyOf(subject))));
    confirmed.push(...again.certain);
    open = again.open;
    isComplete &&= again.isComplete;
  }
  const drift = await nameThePrincipals(confirmed, tokens, { log, after: beginning, upTo: await log.head(), signal });
  const { position, compared, suspended } = first;
  return {
    position,
    compared,
    suspended,
    drift: drift.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    unsettled: open.map(({ subject }) => subject),
    complete: isComplete,
  };
}

const orderOf = ({ subject }: Drift): string => `${subject.kind} ${keyOf(subject)}`;
const noneCompared = (): Record<SubjectKind, number> => ({
  ...{ document: 0, person: 0, group: 0, datasource: 0, credential: 0 },
});

/** The end of the log, once everything that is asked has reached it. */
async function servedPosition({ log, served, against = {}, limits }: Comparison): Promise<Position> {
  const head = await log.head();
  const reachMs = limits?.reachMs ?? defaultLimits.reachMs;
  const readers = [served, against].flatMap(
    ({ search, access, catalogue, credentials }): readonly (Checkpointed | undefined)[] => [
      search,
      access,
      catalogue,
      credentials,
    ],
  );
  const reached = await Promise.all(readers.map((reader) => reader === undefined || reader.reached(head, reachMs)));
  if (reached.every((isThere) => isThere)) return head;
  throw new ReadersBehind(head, reachMs);
}

/** One way through the subjects. */
class Round {
  readonly compared = noneCompared();
  /** Differences that nothing written meanwhile explains, and those that something may explain. */
  certain: readonly Drift[] = [];
  open: readonly Drift[] = [];
  private readonly drift: Drift[] = [];
  readonly suspended: Pick<Datasource, "name" | "datasourceId">[] = [];
  isComplete = true;
  /** Datasources for which some version answers nobody: their tokens say nothing of the people. */
  private readonly closed = new Set<DatasourceId>();
  private readonly limits: ComparisonLimits;

  private constructor(
    private readonly comparison: Comparison,
    private readonly only: ReadonlySet<string> | null,
    readonly position: Position,
  ) {
    this.limits = { ...defaultLimits, ...comparison.limits };
  }

  static async run(comparison: Comparison, only: ReadonlySet<string> | null): Promise<Round> {
    const round = new Round(comparison, only, await servedPosition(comparison));
    await round.compareEverything();
    const touched = await ChangedSince.since(comparison.log, round.position, comparison.signal);
    round.open = round.drift.filter(({ subject }) => touched.mayConcern(subject));
    round.certain = round.drift.filter(({ subject }) => !touched.mayConcern(subject));
    return round;
  }

  private async compareEverything(): Promise<void> {
    const { tokens, served, against } = this.comparison;
    const { stretch, choice } = this;
    const datasources = await FoldedDatasources.read(stretch);
    if (served.catalogue !== undefined)
      await this.compareAll("datasource", once(this.datasourceSubjects(datasources, await served.catalogue.list())));
    if (served.credentials !== undefined)
      await this.compareAll("credential", once(await credentialSubjects(stretch, choice, served.credentials)));
    const { held: maxHeld } = this.limits;
    const { access, search } = served;
    if (access !== undefined) {
      await this.noteClosed(datasources);
      const groups = await FoldedGroups.read(stretch, datasources);
      const reading = { stretch, datasources, groups, tokens, choice, maxHeld };
      const held = () => pagesOf((after) => access.people(after));
      await this.compareAll("person", personSubjects({ ...reading, held }));
      // Another version is compared by what people hold of its groups.
      if (against === undefined)
        await this.compareAll(
          "group",
          groupSubjects({ ...reading, closed: this.closed, held: () => pagesOf((after) => access.groups(after)) }),
        );
    }
    if (search !== undefined) {
      const held = () => pagesOf((after) => search.documents(after));
      await this.compareAll("document", documentSubjects({ stretch, datasources, tokens, choice, maxHeld, held }));
    }
  }

  private get stretch() {
    const { log, signal } = this.comparison;
    return { log, after: beginning, upTo: this.position, signal };
  }

  private get choice() {
    return { ...(this.comparison.sample ?? wholeLog), only: this.only };
  }

  private datasourceSubjects(datasources: FoldedDatasources, held: readonly Datasource[]): readonly ExpectedSubject[] {
    const { part, seed, only } = this.choice;
    const names = new Set([...datasources.everNamed(), ...held.map(({ name }) => name)]);
    const chosen = [...names].filter((name) => placeInSample(seed, name) < part && (only === null || only.has(name)));
    return chosen.map((name) => {
      const ofName = held.filter((datasource) => datasource.name === name).map(({ datasourceId }) => datasourceId);
      const incarnations = [...new Set([...datasources.incarnationsOf(name), ...ofName])];
      return { kind: "datasource", name, incarnations, expected: datasources.find(name) };
    });
  }

  private async noteClosed(datasources: FoldedDatasources): Promise<void> {
    const { served, against } = this.comparison;
    for (const { datasourceId, name } of datasources.list()) {
      const isParked = await Promise.all([
        served.access?.isParked(datasourceId),
        against?.access?.isParked(datasourceId),
      ]);
      if (!isParked.includes(true)) continue;
      this.closed.add(datasourceId);
      this.suspended.push({ name, datasourceId });
    }
  }

  private async compareAll(kind: SubjectKind, batches: AsyncIterable<SubjectBatch<ExpectedSubject>>): Promise<void> {
    for await (const { subjects, done } of batches) {
      for (let from = 0; from < subjects.length && this.isComplete; from += concurrentSubjects) {
        await Promise.all(subjects.slice(from, from + concurrentSubjects).map((subject) => this.compare(subject)));
        this.isComplete = this.drift.length < this.limits.drift;
      }
      this.compared[kind] += subjects.length;
      if (!this.isComplete) return;
      this.comparison.onProgress?.({ kind, compared: this.compared[kind], done });
      await this.comparison.rest?.();
      this.comparison.signal?.throwIfAborted();
    }
  }

  private async compare(subject: ExpectedSubject): Promise<void> {
    const { served, against } = this.comparison;
    const expected =
      against === undefined ? answerOfLog(subject, this.closed) : await answerOfReaders(subject, against, this.closed);
    const differences = differencesBetween(expected, await answerOfReaders(subject, served, this.closed));
    if (differences.length > 0) this.drift.push({ subject, differences });
  }
}

async function* once(subjects: readonly ExpectedSubject[]): AsyncGenerator<SubjectBatch<ExpectedSubject>> {
  yield { subjects, done: 1 };
}
