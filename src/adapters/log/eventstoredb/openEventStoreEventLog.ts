import { setTimeout as delay } from "node:timers/promises";
import { EngineUnavailable } from "../../../shared/engineUnavailable.js";
import type { AppendOutcome, AppendRequest, EventLog } from "../../../../commands/ports.js";
import type { ExpectedRevision, Revision } from "../../../shared/position.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { append, AppendRefused, maxAppendBytes } from "./appends.js";
import type { Appended, StreamAppend } from "./batchAppends.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { AppendTooLarge } from "./failures.js";
import { claimNamespace } from "./namespaceClaim.js";
import { positionOf, toStreamEvent, toRecordedEvent } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { sizeOfAll } from "./streamEvent.js";
import { readEnd, readForwards, readNewest, readWhole } from "./streamReads.js";
import { TextWriter, type WrittenText } from "./textWriter.js";

export interface EventStoreEventLogOptions extends ConnectionOptions {
  /** Prefixes every stream, so that tenants can share a server. */
  readonly namespace: string;
  readonly upcasters?: Upcasters;
  /** How long the event store may take to answer at the start; 10 s by default. */
  readonly connectTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 10_000;
/** The event behind a conflict is visible after milliseconds. After this long the stream was deleted from outside. */
const unseenForMs = 5_000;
const unseenPauseMs = 20;

/**
 * Opens the event log on EventStoreDB or KurrentDB. Rejects within `connectTimeoutMs`, with a sentence that says what
 * is wrong, where the server does not answer or take appends, or where the namespace belongs to another program.
 * Afterwards calls throw `EngineUnavailable` where the server stays away for longer than `patienceMs`. Then it is
 * unknown whether an append was written, and sending it again is safe.
 */
export async function openEventStoreEventLog(
  options: EventStoreEventLogOptions,
): Promise<EventLog & { readonly claimId: string; close(): Promise<void> }> {
  const { namespace, connectTimeoutMs = defaultConnectTimeoutMs, upcasters = currentUpcasters } = options;
  const names = new StreamNames(namespace);
  const opening = new Connection({ ...options, patienceMs: connectTimeoutMs });
  const claimId = await claimNamespace(opening, names).finally(() => opening.close());
  return new EventStoreEventLog(new Connection(options), names, upcasters, claimId);
}

class EventStoreEventLog implements EventLog {
  private readonly texts: TextWriter;

  constructor(
    private readonly connection: Connection,
    private readonly names: StreamNames,
    private readonly upcasters: Upcasters,
    /** Of the event by which the namespace was claimed, the first of this log. */
    readonly claimId: string,
  ) {
    this.texts = new TextWriter(connection, names);
  }

  readonly readStream: EventLog["readStream"] = async (stream, fromRevision, maxCount) => {
    const records = await readWhole(this.connection, this.names.of(stream), {
      fromRevision,
      ...(maxCount !== undefined && { maxCount }),
    });
    return records.map((record) => toRecordedEvent(record, stream, this.upcasters));
  };

  /** The event store sends metadata with every event. */
  readonly readEvents: EventLog["readEvents"] = (stream, fromRevision, maxCount) =>
    this.readStream(stream, fromRevision, maxCount);

  readonly readLast: EventLog["readLast"] = async (stream) => {
    const record = await readNewest(this.connection, this.names.of(stream));
    return record === null ? null : toRecordedEvent(record, stream, this.upcasters);
  };

  readonly append = async (request: AppendRequest): Promise<AppendOutcome> => {
    const { expectedRevision, contents = [] } = request;
    const events = request.events.map((event) => toStreamEvent(event, this.upcasters));
    const toAppend = { stream: this.names.of(request.stream), expectedRevision, events };
    const bytes = sizeOfAll(events);
    if (bytes > maxAppendBytes) return { kind: "tooLarge", bytes, maxBytes: maxAppendBytes };
    const seed = `${events[0]?.id} ${expectedRevision}`;
    let known: Appended | null = null;
    const isWanted = async (): Promise<boolean> => (known ??= await this.decidedAlready(toAppend)) === null;
    const texts = await Promise.all(contents.map((content) => this.texts.write(content, seed, isWanted)));
    const outcome = known ?? (await this.appendEvents(toAppend).catch((error: unknown) => this.refused(error, bytes)));
    if (outcome.kind === "appended") {
      assertWasNew(toAppend, outcome.revision);
      return { ...outcome, position: outcome.position ?? (await readEnd(this.connection)) };
    }
    await Promise.all(
      texts.filter((text): text is WrittenText => text !== null).map((text) => this.texts.withdraw(text)),
    );
    if (outcome.kind === "refused") throw outcome.error;
    return outcome;
  };

  /**
   * What was refused for good was not written, so its texts have to go. After any other failure it may have been
   * written.
   */
  private refused(
    error: unknown,
    bytes: number,
  ): Extract<AppendOutcome, { kind: "tooLarge" }> | { readonly kind: "refused"; readonly error: unknown } {
    if (error instanceof AppendTooLarge) return { kind: "tooLarge", bytes, maxBytes: error.maxBytes };
    if (error instanceof AppendRefused) return { kind: "refused", error };
    throw error;
  }

  /**
   * A text that is there before the first event of its document hints that the document is not new after all. Then the
   * append's outcome is known beforehand, and nothing has to be written for it.
   */
  private async decidedAlready(request: StreamAppend): Promise<Appended | null> {
    const newest = request.expectedRevision === "noStream" ? await readNewest(this.connection, request.stream) : null;
    if (newest === null) return null;
    const actualRevision = Number(newest.revision);
    const written = await this.whatStandsThere(request, actualRevision);
    return written === "unseen" ? null : (written ?? { kind: "conflict", actualRevision });
  }

  /**
   * Looks at a conflict, and answers once the events behind it can be read. While the same append is under way twice, a
   * real server reports a conflict to one of the two and writes the other, some time before readers see it.
   */
  private async appendEvents(request: StreamAppend): Promise<Appended> {
    for (const end = performance.now() + unseenForMs; ; await delay(unseenPauseMs)) {
      const outcome = await append(this.connection, request);
      if (outcome.kind === "appended") return outcome;
      const written = await this.whatStandsThere(request, outcome.actualRevision);
      if (written !== "unseen") return written ?? outcome;
      if (performance.now() >= end) return outcome;
    }
  }

  /** The answer of the first time where these very events were written before; null where others were. */
  private async whatStandsThere(
    { stream, expectedRevision, events }: StreamAppend,
    actualRevision: ExpectedRevision,
  ): Promise<Appended | "unseen" | null> {
    const fromRevision = expectedRevision === "noStream" ? 0 : expectedRevision + 1;
    if (actualRevision === "noStream" || actualRevision < fromRevision) return null;
    const written = await readForwards(this.connection, stream, { fromRevision, maxCount: events.length });
    if (
      written.some(({ id, revision }, index) => id !== events[index]?.id || Number(revision) !== fromRevision + index)
    )
      return null;
    const last = written.at(-1);
    if (last !== undefined && written.length === events.length)
      return { kind: "appended", revision: Number(last.revision), position: positionOf(last) };
    return fromRevision + written.length <= actualRevision ? "unseen" : null;
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/**
 * A stream that was deleted, but not for good, takes a first event as a new one does, and goes on counting. What was
 * decided without its events is written then, but nobody is told that it was done, and the next read is refused.
 */
function assertWasNew({ stream, expectedRevision, events }: StreamAppend, revision: Revision): void {
  if (expectedRevision === "noStream" && revision >= events.length)
    throw new EngineUnavailable(`Stream ${stream} was deleted in the event store, from outside: restore it.`);
}
