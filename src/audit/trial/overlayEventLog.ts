import type { AppendOutcome, AppendRequest, EventLog } from "../../../commands/ports.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamName } from "../../events/streams.js";
import { toPosition, type ExpectedRevision, type Position, type Revision } from "../../shared/position.js";

/**
 * A log that ends at a position and goes on in memory. What is appended comes after what the log holds, at positions of
 * its own, and goes away with this object. The log itself is only read; texts are not kept.
 */
export class OverlayEventLog implements EventLog {
  /** In the order in which they were appended. */
  readonly appended: RecordedEvent[] = [];
  private readonly streams = new Map<StreamName, RecordedEvent[]>();

  constructor(
    private readonly log: Pick<EventLog, "readStream" | "readLast">,
    private readonly asOf: Position,
  ) {}

  async readStream(stream: StreamName, fromRevision: Revision, maxCount = Infinity): Promise<readonly RecordedEvent[]> {
    const read = await this.log.readStream(stream, fromRevision, maxCount === Infinity ? undefined : maxCount);
    const below = read.filter(({ position }) => position <= this.asOf);
    // While the log may hold more, appended events wait for their turn.
    if (below.length === maxCount) return below;
    const above = (this.streams.get(stream) ?? []).filter(({ revision }) => revision >= fromRevision);
    return [...below, ...above].slice(0, maxCount);
  }

  readEvents(stream: StreamName, fromRevision: Revision, maxCount: number): Promise<readonly RecordedEvent[]> {
    return this.readStream(stream, fromRevision, maxCount);
  }

  async readLast(stream: StreamName): Promise<RecordedEvent | null> {
    return this.streams.get(stream)?.at(-1) ?? (await this.lastBelow(stream));
  }

  async append({ stream, expectedRevision, events }: AppendRequest): Promise<AppendOutcome> {
    const last = await this.readLast(stream);
    const actualRevision: ExpectedRevision = last?.revision ?? "noStream";
    if (actualRevision !== expectedRevision) return { kind: "conflict", actualRevision };
    const own = this.streams.get(stream) ?? [];
    this.streams.set(stream, own);
    let revision = last?.revision ?? -1;
    let position = this.asOf;
    for (const { id, event, metadata } of events) {
      position = toPosition(this.asOf + BigInt(this.appended.length) + 1n);
      const recorded: RecordedEvent = { id, stream, revision: ++revision, position, event, metadata };
      own.push(recorded);
      this.appended.push(recorded);
    }
    return { kind: "appended", revision, position };
  }

  /** The newest event of a stream that the log held at the position. */
  async lastBelow(stream: StreamName): Promise<RecordedEvent | null> {
    const newest = await this.log.readLast(stream);
    if (newest === null || newest.position <= this.asOf) return newest;
    // Positions rise with revisions, so a binary search finds the last event before the position.
    let last: RecordedEvent | null = null;
    for (let [low, high] = [0, newest.revision - 1]; low <= high;) {
      const middle = low + Math.ceil((high - low) / 2);
      const [event] = await this.log.readStream(stream, middle, 1);
      if (event !== undefined && event.position <= this.asOf) [last, low] = [event, middle + 1];
      else high = middle - 1;
    }
    return last;
  }
}
