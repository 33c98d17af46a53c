import { BACKWARDS, END, START, type AllStreamResolvedEvent, type RecordedEvent as StoredRecord, type StreamingRead } from "@eventstore/db-client";
import { beginning, toPosition, type Position, type Revision } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { isMissing } from "./failures.js";

export interface Stretch {
  readonly fromRevision: Revision;
  /** At least one; all there are where it is left out. */
  readonly maxCount?: number;
}

/** The events of a stream in order; none where there is no such stream. Throws `EngineUnavailable` where the server cannot be asked. */
export function readForwards(connection: Connection, stream: string, { fromRevision, maxCount }: Stretch): Promise<readonly StoredRecord[]> {
  return reading(connection, stream, () =>
    connection.client.readStream(stream, { ...connection.callOptions, fromRevision: BigInt(fromRevision), ...(maxCount !== undefined && { maxCount }) }),
  );
}

/** The newest event of a stream; null where there is no such stream. */
export async function readNewest(connection: Connection, stream: string): Promise<StoredRecord | null> {
  const read = () => connection.client.readStream(stream, { ...connection.callOptions, direction: BACKWARDS, fromRevision: END, maxCount: 1 });
  return (await reading(connection, stream, read))[0] ?? null;
}

/** Where the log ends: the position of its newest event, whoever's it is. */
export async function readEnd(connection: Connection): Promise<Position> {
  const read = (): StreamingRead<AllStreamResolvedEvent> =>
    connection.client.readAll({ ...connection.callOptions, direction: BACKWARDS, fromPosition: END, maxCount: 1 });
  const [newest] = await connection.insist("Reading the end of the event log", (deadlineMs) => collect(read(), deadlineMs));
  return newest === undefined ? beginning : toPosition(newest.event?.position.commit ?? newest.commitPosition ?? 0n);
}

/** As the client names a position of ours. */
export const fromPosition = (position: Position): { readonly commit: bigint; readonly prepare: bigint } | typeof START =>
  position === beginning ? START : { commit: position, prepare: position };

async function reading(connection: Connection, stream: string, read: () => StreamingRead<{ readonly event?: StoredRecord }>): Promise<readonly StoredRecord[]> {
  try {
    const resolved = await connection.insist(`Reading stream ${stream}`, (deadlineMs) => collect(read(), deadlineMs));
    return resolved.flatMap(({ event }) => (event === undefined ? [] : [event]));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Fails where nothing arrives for `idleMs`: the client's own reads have no deadline. */
function collect<Event>(stream: StreamingRead<Event>, idleMs: number): Promise<readonly Event[]> {
  return new Promise((resolve, reject) => {
    const events: Event[] = [];
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      void cancel(stream);
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error(`nothing arrived within ${Math.round(idleMs)} ms`)), idleMs);
    // Stays after the end: an error event without a listener would end the process.
    stream.on("error", fail);
    stream.on("data", (event: Event) => {
      timer.refresh();
      events.push(event);
    });
    stream.on("end", () => {
      clearTimeout(timer);
      resolve(events);
    });
  });
}

/** Never throws: where the call could not even be made, there is nothing to cancel. */
async function cancel(stream: StreamingRead<unknown>): Promise<void> {
  try {
    await stream.cancel();
  } catch {
    // Nothing to do: the read has failed already.
  }
}
