import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { setMaxListeners } from "node:events";
import type { ParkedEvent } from "../../projections/ports.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { EventSource } from "../events/eventSource.js";
import { isDamage, ReadModelUnavailable } from "../shared/failures.js";
import { orAborted } from "../shared/waiting.js";
import type { Position } from "../shared/position.js";
import { Admission, admittedReader, type Admitted } from "./admission.js";
import { openReader, setAsideDamaged, type IdentifiedReader } from "./openReader.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";
import { currentReader, type ServedReadModel } from "./servedReadModels.js";
import type { ProjectionState } from "../../commands/projection/versions.js";

type AnyReaders<Readers> = { readonly [Name in keyof Readers]: Checkpointed };

export type ReadModelsOf<Readers extends AnyReaders<Readers>> = {
  readonly [Name in keyof Readers]: ReadModel<Readers[Name]>;
};

interface VersionedOptions<Readers extends AnyReaders<Readers>, View> {
  readonly readModels: ReadModelsOf<Readers>;
  /** Tells which versions are to be served. */
  readonly feed: ProjectionFeed;
  /** The log of which they have to be. */
  readonly log: Pick<EventSource, "head" | "holds">;
  /** True where answers say as of when they are, or where they may be older than the log. */
  readonly mayBeBehind: boolean;
  readonly logger: Logger;
  /** What a question is given of a set. A wait that rejects with the signal's reason is begun again in the next set. */
  viewOf(readers: Readers, superseded: AbortSignal): View;
}

const retryDelayMs = 100;
/** How often is looked whether what is served is still what it was. */
const lookMs = 1_000;

const stepMs = 250;

/**
 * The readers of whatever versions the log says are served. A question uses one set of readers from beginning to end.
 * Another version takes over by one assignment, once it answers and has come as far as the one before, so that nobody
 * is taken back; readers are closed when the last question that uses them has its answer.
 */
export class Versioned<Readers extends AnyReaders<Readers>, View> {
  private readonly stopping = new AbortController();
  private readonly unsubscribe: () => void;
  private readonly names: readonly (keyof Readers)[];
  private switching: Promise<void> = Promise.resolve();
  private watching: Promise<unknown> = Promise.resolve();
  private readonly admissions: { readonly [Name in keyof Readers]: Admission };
  private readonly sets: ReaderSets<Readers, View>;

  /** Opens what is served now. Where one cannot be opened, closes the others and rejects. */
  static async open<Readers extends AnyReaders<Readers>, View>(
    options: VersionedOptions<Readers, View>,
  ): Promise<Versioned<Readers, View>> {
    const { readModels, feed } = options;
    const openings = await Promise.allSettled(
      namesOf(readModels).map(async (name) => {
        const state = feed.of(readModels[name].name);
        const version = standInFor(readModels[name], state) ?? state.live;
        return { version, ...(await openReader(readModels[name], version, options.logger)) };
      }),
    );
    const opened = openings.flatMap((opening) => (opening.status === "fulfilled" ? [opening.value] : []));
    const failed = openings.find((opening) => opening.status === "rejected");
    if (failed !== undefined) {
      for (const reader of opened) await reader.close();
      throw failed.reason;
    }
    const readers = namesOf(readModels).map((name, index) => [name, opened[index]]);
    const versioned = new Versioned(options, Object.fromEntries(readers) as OpenedOf<Readers>);
    await Promise.all(versioned.names.map((name) => versioned.lookAfter(name, 0)));
    versioned.watching = Promise.all(versioned.names.map((name) => versioned.watch(name)));
    return versioned;
  }

  private constructor(
    private readonly options: VersionedOptions<Readers, View>,
    opened: OpenedOf<Readers>,
  ) {
    this.names = namesOf(options.readModels);
    const admissions = this.names.map((name) => [name, this.admissionOf(name)]);
    this.admissions = Object.fromEntries(admissions) as Versioned<Readers, View>["admissions"];
    this.sets = new ReaderSets(opened, {
      logger: options.logger,
      readersOf: (set) => this.readersOf(set),
      viewOf: (readers, superseded) => options.viewOf(readers, superseded),
    });
    this.unsubscribe = options.feed.onChange((changed) => this.look(changed));
    for (const name of this.names) this.look(options.readModels[name].name);
  }

  /** Asks a question of one set, which stays open meanwhile; and again where that was superseded during a wait. */
  use<Answer>(ask: (view: View) => Promise<Answer>): Promise<Answer> {
    return this.sets.use(({ view }) => ask(view));
  }

  /**
   * Waits until these read models serve a position, `timeoutMs` at most, whichever versions take over meanwhile. A
   * reader whose engine is away has reached nothing, and is not asked again before the time is over.
   */
  async reached(names: readonly (keyof Readers)[], position: Position, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    return this.sets.use(async ({ readers, superseded: { signal } }) => {
      const left = Math.max(0, end - performance.now());
      try {
        const waits = names.map((name) => readers[name].reached(position, left));
        return (await orAborted(Promise.all(waits), signal)).every(Boolean);
      } catch (error) {
        if (!(error instanceof ReadModelUnavailable)) throw error;
        await orAborted(delay(left), signal);
        return false;
      }
    });
  }

  /** The version that questions are answered from. */
  version(name: keyof Readers): number {
    return this.sets.current.opened[name].version;
  }

  /** Gives `use` the view of a set, and that of the same set with another reader in the place of this one. */
  useBeside<Name extends keyof Readers, Value>(
    name: Name,
    other: Readers[Name],
    use: (live: View, beside: View) => Promise<Value>,
  ): Promise<Value> {
    return this.sets.use(({ readers, view, superseded }) =>
      use(view, this.options.viewOf({ ...readers, [name]: other }, superseded.signal)),
    );
  }

  /** Whether each read model answers, and how far those have come that do not. */
  admitted(): readonly Admitted[] {
    return this.names.map((name) => this.admissions[name].admitted);
  }

  /** Each read model by itself. */
  all(): readonly ServedReadModel[] {
    return this.names.map((name) => this.served(name));
  }

  /** One read model by itself. */
  served<Name extends keyof Readers>(name: Name): ServedReadModel<Readers[Name]> {
    return {
      readModel: this.options.readModels[name],
      version: () => this.version(name),
      parked: () => this.parked(name),
      reader: currentReader({
        current: () => this.sets.current.readers[name],
        use: (ask) => this.sets.use(({ readers }) => ask(readers[name])),
        reached: (position, timeoutMs) => this.reached([name], position, timeoutMs),
      }),
    };
  }

  /** Ends what is under way, and closes the readers. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    await this.switching;
    await this.watching;
    await this.sets.close();
  }

  private parked(name: keyof Readers): Promise<readonly ParkedEvent[]> {
    return this.sets.use(async ({ opened }) => {
      try {
        return await opened[name].parked.list(this.options.readModels[name].name);
      } catch (error) {
        throw this.failureOf(name, opened[name], error);
      }
    });
  }

  private readersOf(opened: OpenedOf<Readers>): Readers {
    const readers = this.names.map((name) => [
      name,
      admittedReader(opened[name].reader, this.admissions[name], (error) => this.failureOf(name, opened[name], error)),
    ]);
    return Object.fromEntries(readers) as unknown as Readers;
  }

  private admissionOf(name: keyof Readers): Admission {
    const { readModels, log, feed, mayBeBehind } = this.options;
    return new Admission(
      {
        readModel: readModels[name],
        version: () => this.version(name),
        reader: () => this.sets.current.readers[name],
        isInPlace: () => {
          const { version, identity } = this.sets.current.opened[name];
          return readModels[name].identity(version) === identity;
        },
      },
      { log, feed, mayBeBehind },
    );
  }

  /** Lets a damaged storage go: what is opened in its place is filled from the log. */
  private failureOf(name: keyof Readers, { version, identity }: Opened<unknown>, error: unknown): unknown {
    if (!isDamage(error)) return error;
    this.admissions[name].begin();
    void setAsideDamaged(this.options.readModels[name], version, identity, this.options.logger);
    return new ReadModelUnavailable(`${String(name)} is damaged, and being built anew.`, undefined, { cause: error });
  }

  /** Looks again and again whether a read model may answer, and opens it anew where its storage was replaced. */
  private async watch(name: keyof Readers): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const isOpen = this.admissions[name].refusal === null;
      await delay(isOpen ? lookMs : retryDelayMs, null, { signal, ref: false }).catch(() => null);
      if (!signal.aborted) await this.lookAfter(name, stepMs);
    }
  }

  private async lookAfter(name: keyof Readers, timeoutMs: number): Promise<void> {
    const { readModels, logger } = this.options;
    const { version, identity } = this.sets.current.opened[name];
    const admission = this.admissions[name];
    try {
      // What a reader remembers of another log would be taken for what this one has to come to.
      const wasOfAnotherLog = admission.refusal === "ofAnotherLog" && (await admission.isOfThisLog());
      if (wasOfAnotherLog || readModels[name].identity(version) !== identity) {
        admission.begin();
        const next = await openReader(readModels[name], version, logger);
        if (this.version(name) !== version) return await next.close();
        this.sets.replace(name, { version, ...next });
      }
      await admission.look(timeoutMs);
    } catch (error) {
      if (isDamage(error)) this.failureOf(name, this.sets.current.opened[name], error);
      else logger.debug({ err: error, projection: name }, "It could not be told whether a read model may answer.");
    }
  }

  private look(changed: string): void {
    const { readModels, feed } = this.options;
    const name = this.names.find((other) => readModels[other].name === changed);
    if (name === undefined || feed.of(readModels[name].name).live === this.version(name)) return;
    this.switching = this.switching.then(() => this.switchToLive(name));
  }

  private switchToLive<Name extends keyof Readers>(name: Name): Promise<void> {
    const { readModels, feed, log, logger } = this.options;
    return switchToLive({
      ...{ readModel: readModels[name], feed, log, logger, signal: this.stopping.signal },
      version: () => this.version(name),
      served: () => (this.admissions[name].refusal === null ? this.sets.current.readers[name] : null),
      replace: (next) => this.sets.replace(name, next),
    });
  }
}

const namesOf = <Readers extends AnyReaders<Readers>>(readModels: ReadModelsOf<Readers>): readonly (keyof Readers)[] =>
  Object.keys(readModels) as (keyof Readers)[];

/** A version of a read model, opened for questions. */
type Opened<Reader> = IdentifiedReader<Reader> & { readonly version: number };

type OpenedOf<Readers> = { readonly [Name in keyof Readers]: Opened<Readers[Name]> };

/** One version of each read model, from the first question that uses them to the last. */
interface ReaderSet<Readers, View> {
  readonly opened: OpenedOf<Readers>;
  /** What all questions go to. */
  readonly readers: Readers;
  readonly view: View;
  /** Aborts once another set is served: this one will reach no further position. */
  readonly superseded: AbortController;
  users: number;
  whenIdle: (() => void) | null;
}

interface ReaderSetsOptions<Readers, View> {
  readonly logger: Logger;
  /** The readers that questions go to. */
  readersOf(opened: OpenedOf<Readers>): Readers;
  /** What a question is given of a set. A wait that rejects with the signal's reason is begun again in the next set. */
  viewOf(readers: Readers, superseded: AbortSignal): View;
}

/**
 * The set that is served, and those before it for as long as a question uses them. Another reader takes over by one
 * assignment; the one before is closed when the last question that uses it has its answer.
 */
class ReaderSets<Readers, View> {
  private served: ReaderSet<Readers, View>;
  private closing: Promise<void> = Promise.resolve();

  constructor(
    opened: OpenedOf<Readers>,
    private readonly options: ReaderSetsOptions<Readers, View>,
  ) {
    this.served = this.setOf(opened);
  }

  /** What questions use that begin now. */
  get current(): ReaderSet<Readers, View> {
    return this.served;
  }

  /** Asks a question of one set, which stays open meanwhile; and again where that was superseded during a wait. */
  async use<Answer>(ask: (set: ReaderSet<Readers, View>) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const set = this.served;
      set.users++;
      try {
        return await ask(set);
      } catch (error) {
        const { signal } = set.superseded;
        if (!signal.aborted || error !== signal.reason) throw error;
      } finally {
        if (--set.users === 0) set.whenIdle?.();
      }
    }
  }

  /** Questions use it from here on. What it replaces is closed once nobody uses it, in this set or an earlier one. */
  replace<Name extends keyof Readers>(name: Name, next: Opened<Readers[Name]>): void {
    const before = this.served;
    this.served = this.setOf({ ...before.opened, [name]: next });
    before.superseded.abort(new Error("Another version of a read model is served by now."));
    const isIdle = new Promise<void>((resolve) => (before.users === 0 ? resolve() : (before.whenIdle = resolve)));
    this.closing = Promise.all([this.closing, isIdle])
      .then(() => before.opened[name].close())
      .catch((error: unknown) =>
        this.options.logger.warn(
          { err: error, projection: name },
          "Readers of an earlier version could not be closed.",
        ),
      );
  }

  /** Closes the readers, those that were replaced as soon as nobody uses them. */
  async close(): Promise<void> {
    await this.closing;
    for (const opened of Object.values<Opened<unknown>>(this.served.opened)) await opened.close();
  }

  private setOf(opened: OpenedOf<Readers>): ReaderSet<Readers, View> {
    const superseded = new AbortController();
    // Every question that waits listens to it, and there may be any number.
    setMaxListeners(0, superseded.signal);
    const readers = this.options.readersOf(opened);
    const view = this.options.viewOf(readers, superseded.signal);
    return { opened, readers, view, superseded, users: 0, whenIdle: null };
  }
}

type Placed = Pick<ReadModel, "placement">;

/** Whether this version has come further here than the live one; never where all processes see the same. */
export function isAheadOfLive({ placement }: Placed, version: number, { live }: ProjectionState): boolean {
  if (placement === "shared") return false;
  const position = placement.positionOf(version);
  return position !== null && position > (placement.positionOf(live) ?? -1n);
}

/**
 * The version that answers here in place of the live one; null: the live one has come as far as any. A read model that
 * lies in each process's own data folder switches to a version for all processes as soon as one has it. Where it is
 * not whole yet, a version that was served before stands in for it: the one that has come furthest here, and of equal
 * ones the one that was served last.
 */
export function standInFor(readModel: Placed, state: ProjectionState): number | null {
  const { placement } = readModel;
  if (placement === "shared") return null;
  const positions = state.superseded.map((version) => ({ version, position: placement.positionOf(version) ?? -1n }));
  const furthest = positions.reduce<(typeof positions)[number] | null>(
    (most, each) => (most === null || each.position >= most.position ? each : most),
    null,
  );
  return furthest !== null && isAheadOfLive(readModel, furthest.version, state) ? furthest.version : null;
}

/** One read model, of which another version is to be served. */
interface Switching<Reader extends Checkpointed> {
  readonly readModel: ReadModel<Reader>;
  readonly feed: ProjectionFeed;
  readonly log: Pick<EventSource, "holds">;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The version that is served. */
  version(): number;
  /** What answers now; null: nothing does, so nobody has been told anything that the next version might not know. */
  served(): Checkpointed | null;
  replace(next: IdentifiedReader<Reader> & { readonly version: number }): void;
}

/** Switches to the version that is live, whichever that is by then, and tries until it answers. */
async function switchToLive<Reader extends Checkpointed>(switching: Switching<Reader>): Promise<void> {
  const { readModel, feed, logger, signal } = switching;
  while (!signal.aborted && feed.of(readModel.name).live !== switching.version()) {
    const version = feed.of(readModel.name).live;
    let next: IdentifiedReader<Reader> | null = null;
    try {
      next = await openReader(readModel, version, logger);
      if (!(await hasCaughtUp(switching, next, version))) continue;
      switching.replace({ version, ...next });
      next = null;
      logger.info({ projection: readModel.name, version }, "Another version of a read model is served now.");
    } catch (error) {
      logger.error(
        { err: error, projection: readModel.name, version },
        "The version of a read model that is to be served cannot be opened; it is tried again.",
      );
      await delay(retryDelayMs, null, { signal }).catch(() => null);
    } finally {
      await next?.close();
    }
  }
}

/**
 * Waits until the reader is of this log, and where the one before is; false where another version is to be served by
 * then, or another storage stands in its place.
 */
async function hasCaughtUp<Reader extends Checkpointed>(
  { readModel, feed, log, signal, served }: Switching<Reader>,
  { reader: next, identity }: IdentifiedReader<Reader>,
  version: number,
): Promise<boolean> {
  const pause = (): Promise<unknown> => delay(retryDelayMs, null, { signal }).catch(() => null);
  while (!signal.aborted && feed.of(readModel.name).live === version) {
    try {
      const isOfThisLog = await log.holds(await readModel.checkpoint(version), readModel.categories);
      if (readModel.identity(version) !== identity) return false;
      if (!isOfThisLog) {
        await pause();
        continue;
      }
      const position = await positionOf(served());
      if (position !== null && !(await next.reached(position, stepMs))) continue;
      await readModel.probe(next);
      const now = await positionOf(served());
      if (now === null || now <= (await next.position())) return true;
    } catch (error) {
      if (!(error instanceof ReadModelUnavailable)) throw error;
      await pause();
    }
  }
  return false;
}

/** null where it cannot answer. */
async function positionOf(reader: Checkpointed | null): Promise<Position | null> {
  try {
    return reader && (await reader.position());
  } catch (error) {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  }
}
