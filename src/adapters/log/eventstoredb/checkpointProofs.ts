import type { Checkpoint, Landmark } from "../../../events/landmark.js";
import type { StreamCategory } from "../../../events/streams.js";
import { beginning, type Position } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { catchUpWindow } from "./followLog.js";
import { LogSubscription } from "./logSubscription.js";
import { positionOf } from "./storedEvents.js";
import type { StreamNames } from "./streamNames.js";
import { readAt, readEnd, readFrom } from "./streamReads.js";

/**
 * Up to an event, of any writer, none of some categories comes after a landmark. As long as that event stands where it
 * stood, this is the same log up to there, and the proof holds.
 */
interface Proof {
  readonly landmarkId: string;
  readonly upTo: Landmark;
}

/**
 * Whether the log on the server is the one that was followed up to checkpoints. This is asked every second for each
 * read model, so no stretch of the log is looked through twice: what was proven is remembered.
 */
export class CheckpointProofs {
  private readonly proofs = new Map<string, Proof>();

  constructor(
    private readonly connection: Connection,
    private readonly names: StreamNames,
    private readonly closing: AbortSignal,
  ) {}

  /** As `EventSource.holds`. */
  async holds({ position, landmark }: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean> {
    if (position === beginning) return true;
    if (landmark === null) return position <= (await readEnd(this.connection));
    const subject = categories.join();
    const proven = (await this.provenBefore(subject, position, landmark)) ?? (await this.found(landmark));
    if (proven === null) return false;
    if (proven >= position) return true;
    const next = await readFrom(this.connection, position);
    // Nobody could follow the log from a place where none of its events ever stood.
    if (next === null || (await this.hasAny(categories, proven, position))) return false;
    // An event of somebody else may have been scavenged; then the next look begins further back.
    if (positionOf(next) === position)
      this.proofs.set(subject, { landmarkId: landmark.id, upTo: { position, id: next.id } });
    return true;
  }

  /** Up to where it was proven before, and is still so; null: nowhere. */
  private async provenBefore(subject: string, position: Position, landmark: Landmark): Promise<Position | null> {
    const proof = this.proofs.get(subject);
    if (proof === undefined || proof.landmarkId !== landmark.id || proof.upTo.position > position) return null;
    const event = await readAt(this.connection, proof.upTo.position);
    return event?.id === proof.upTo.id ? proof.upTo.position : null;
  }

  /** Where the landmark stands; null where something else, or nothing, stands there. */
  private async found({ position, id }: Landmark): Promise<Position | null> {
    const event = await readAt(this.connection, position);
    // The server also holds the events of other namespaces, which are other logs.
    return event?.id === id && this.names.owns(event.streamId) ? position : null;
  }

  /** Whether events of these categories come after one position and up to another, which the log has reached. */
  private async hasAny(categories: readonly StreamCategory[], after: Position, upTo: Position): Promise<boolean> {
    const filter = { streamPrefixes: this.names.prefixesOf(categories) };
    return this.connection.insist("Looking through the event log", async (deadlineMs) => {
      const subscription = new LogSubscription(this.connection, { after, filter, window: catchUpWindow, capacity: 1 });
      try {
        return await this.deliversAny(subscription, upTo, deadlineMs);
      } finally {
        await subscription.close();
      }
    });
  }

  /** Fails where the subscription does, and where nothing comes of it for `idleMs`. */
  private async deliversAny(subscription: LogSubscription, upTo: Position, idleMs: number): Promise<boolean> {
    const hasNews = (): boolean => subscription.hasMoved || subscription.isLive;
    for (;;) {
      await subscription.until(() => hasNews() || subscription.failure !== null, idleMs, this.closing);
      if (this.closing.aborted) throw new Error("the event source was closed");
      if (!hasNews()) throw subscription.failure?.error ?? new Error(`nothing arrived within ${idleMs} ms`);
      const { isLive } = subscription;
      const { records, position } = subscription.take(1);
      const [first] = records;
      if (first !== undefined) return positionOf(first) <= upTo;
      if (isLive || position >= upTo) return false;
    }
  }
}
