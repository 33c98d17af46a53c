import type { EventSource } from "../../projections/ports.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import type { Checkpoint } from "../../src/events/eventSource.js";
import { categoryOf, type StreamCategory } from "../../src/events/streams.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { recordEvents } from "./recordEvents.js";

/** A log that a test writes to, as projections see it. */
export class GrowingLog implements EventSource {
  private readonly events: RecordedEvent[] = [];
  private readonly waiting = new Set<() => void>();

  get end(): Position {
    return this.events.at(-1)?.position ?? beginning;
  }

  head(): Promise<Position> {
    return Promise.resolve(this.end);
  }

  holds({ position, landmark }: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean> {
    if (position > this.end) return Promise.resolve(false);
    if (landmark === null) return Promise.resolve(true);
    const known = this.events.find((event) => event.position === landmark.position);
    const between = this.events.some(
      (event) =>
        event.position > landmark.position &&
        event.position <= position &&
        categories.includes(categoryOf(event.stream)),
    );
    return Promise.resolve(known?.id === landmark.id && !between);
  }

  append(...events: readonly DomainEvent[]): Position {
    return this.record(...recordEvents(events, Number(this.end)));
  }

  /** Events as they are; they come after what is there. */
  record(...events: readonly RecordedEvent[]): Position {
    this.events.push(...events);
    for (const wake of [...this.waiting]) wake();
    return this.end;
  }

  async *subscribe({
    after,
    categories,
    maxBatchSize,
    signal,
  }: Parameters<EventSource["subscribe"]>[0]): ReturnType<EventSource["subscribe"]> {
    for (let from = after; !signal.aborted;) {
      const rest = this.events.filter(({ position }) => position > from);
      const batch = rest.slice(0, maxBatchSize);
      const caughtUp = batch.length === rest.length;
      from = batch.at(-1)?.position ?? from;
      yield { events: batch.filter(({ stream }) => categories.includes(categoryOf(stream))), position: from, caughtUp };
      if (caughtUp) await this.untilMore(from, signal);
    }
  }

  private untilMore(than: Position, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener("abort", done);
      if (signal.aborted || this.end > than) done();
    });
  }
}
