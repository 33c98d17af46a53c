import type { Checkpointed } from "../../queries/ports.js";
import type { EventSource } from "../events/eventSource.js";
import { beginning, type Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/failures.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ReadModel } from "./readModel.js";

/** Why a read model does not answer. */
type NotAdmitted = "building" | "ofAnotherLog" | "unknown";

/** Whether a read model answers. */
export interface Admitted {
  readonly name: ReadModel["name"];
  /** null: it does. */
  readonly refusal: NotAdmitted | null;
  readonly position: Position;
  /** How far it has to come first; null: that is not known. */
  readonly upTo: Position | null;
}

/** What is looked at: one read model as it is opened now. */
export interface LookedAtReadModel {
  readonly readModel: ReadModel;
  version(): number;
  reader(): Checkpointed;
  /** False where another storage stands in its place by now, and has to be opened first. */
  isInPlace(): boolean;
}

interface AdmissionOptions {
  /** The log of which everything that is served has to be. */
  readonly log: Pick<EventSource, "head" | "holds">;
  readonly feed: ProjectionFeed;
  /**
   * True where answers themselves say as of when they are, or where nobody is told that they are of now: then it may be
   * behind the log.
   */
  readonly mayBeBehind: boolean;
}

/**
 * Whether one read model may answer: it is of this log, and has come as far as the log did when it was looked at for
 * the first time, or when another storage was opened in its place. Before, an answer would say that there is nothing
 * where there is something.
 */
export class Admission {
  private why: NotAdmitted | null = "unknown";
  private position: Position = beginning;
  private floor: Position | null = null;

  constructor(
    private readonly served: LookedAtReadModel,
    private readonly options: AdmissionOptions,
  ) {}

  /** null: it answers. */
  get refusal(): NotAdmitted | null {
    return this.why;
  }

  get admitted(): Admitted {
    return { name: this.served.readModel.name, refusal: this.why, position: this.position, upTo: this.floor };
  }

  /** Throws `ReadModelUnavailable` while it does not answer. */
  assertOpen(): void {
    if (this.why === null) return;
    const { name } = this.served.readModel;
    throw new ReadModelUnavailable(sentences[this.why](name, this.position, this.floor), retryAfterSeconds);
  }

  /** Another storage is opened: everything is to be looked at anew. */
  begin(): void {
    this.why = "unknown";
    this.floor = null;
  }

  /** Whether what is opened holds what the log says, as far as it has come. */
  async isOfThisLog(): Promise<boolean> {
    const { readModel, version, isInPlace } = this.served;
    const checkpoint = await readModel.checkpoint(version());
    // The checkpoint would be that of another storage, and tell nothing of what is opened.
    if (!isInPlace()) return false;
    this.position = checkpoint.position;
    return this.options.log.holds(checkpoint, readModel.categories);
  }

  /**
   * Looks whether it may answer, waiting `timeoutMs` at most for what is missing. Where the log or the engine cannot be
   * asked, things stay as they are.
   */
  async look(timeoutMs: number): Promise<void> {
    const { readModel, reader } = this.served;
    const { log, feed, mayBeBehind } = this.options;
    if (!(await this.isOfThisLog())) {
      this.why = "ofAnotherLog";
      this.floor = null;
      return;
    }
    this.floor ??= await log.head();
    const isPaused = feed.of(readModel.name).paused;
    const reached = isPaused
      ? this.position > beginning || this.floor === beginning
      : await reader().reached(this.floor, this.why === null ? 0 : timeoutMs);
    if (reached || mayBeBehind) this.why = null;
    else if (this.why !== null) this.why = "building";
  }
}

const retryAfterSeconds = 2;

const sentences: Readonly<Record<NotAdmitted, (name: string, position: Position, upTo: Position | null) => string>> = {
  building: (name, position, upTo) =>
    `${name} is being built: it has come to position ${position} of ${upTo} of the log.`,
  ofAnotherLog: (name) => `${name} holds what another log says than the one that is read; it is being built anew.`,
  unknown: (name) => `It is not known yet how far ${name} has come.`,
};

/**
 * A reader whose methods throw while it is not admitted, save those that tell how far it has come. `onFailure` is told
 * what any of them fails with, and answers with what is thrown instead.
 */
export function admittedReader<Reader extends Checkpointed>(
  reader: Reader,
  admission: Pick<Admission, "assertOpen">,
  onFailure: (error: unknown) => unknown,
): Reader {
  const known = new Map<string | symbol, unknown>();
  const asked = (method: Method, tells: boolean) => {
    return (...given: readonly unknown[]): unknown => {
      if (!tells) admission.assertOpen();
      try {
        const answer = method.apply(reader, [...given]);
        return answer instanceof Promise ? answer.catch((error: unknown) => Promise.reject(onFailure(error))) : answer;
      } catch (error) {
        throw onFailure(error);
      }
    };
  };
  return new Proxy(reader, {
    get: (_, name) => {
      const value = (reader as Readonly<Record<string | symbol, unknown>>)[name];
      if (typeof value !== "function") return value;
      if (!known.has(name)) known.set(name, asked(value as Method, tellsProgress.has(name)));
      return known.get(name);
    },
  });
}

type Method = (...given: readonly unknown[]) => unknown;

const tellsProgress: ReadonlySet<string | symbol> = new Set(["position", "reached"]);
