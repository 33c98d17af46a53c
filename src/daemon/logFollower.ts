import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { StreamCategory } from "../events/streams.js";
import { delay } from "../shared/waiting.js";
import type { Position } from "../shared/position.js";

const retryDelayMs = 1_000;
const lookMs = 5;

/** What is followed, and what is done with it. */
interface Followed {
  readonly source: EventSource;
  readonly logger: Logger;
  readonly categories: readonly StreamCategory[];
  readonly maxBatchSize: number;
  /** Logged where the log fails, before it is asked again. */
  readonly failure: string;
  take(event: RecordedEvent): void;
}

/** Follows the events of some categories. A log that is away is asked again; meanwhile things stay as they were. */
export class LogFollower {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** `after`: where following begins. */
  constructor(
    private readonly followed: Followed,
    private after: Position,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Waits until everything up to this position has been followed, or `timeoutMs`, and says whether it was. */
  async reached(position: Position, timeoutMs: number): Promise<boolean> {
    const patience = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(timeoutMs)]);
    while (this.after < position && !patience.aborted) await delay(lookMs, patience);
    return this.after >= position;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.subscribe(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.followed.logger.error({ err: error }, this.followed.failure);
        await delay(retryDelayMs, signal);
      }
    }
  }

  private async subscribe(signal: AbortSignal): Promise<void> {
    const { source, categories, maxBatchSize } = this.followed;
    for await (const { events, position } of source.subscribe({
      after: this.after,
      categories,
      maxBatchSize,
      signal,
    })) {
      for (const event of events) this.followed.take(event);
      this.after = position;
    }
  }
}
