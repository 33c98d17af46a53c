import { setTimeout as delay } from "node:timers/promises";
import { EngineUnavailable } from "../../../shared/failures.js";
import type { AppendOutcome, AppendRequest, EventLog, NewContent } from "../../../../commands/ports.js";
import type { ExpectedRevision, Revision } from "../../../shared/position.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { append, AppendRefused, maxAppendBytes } from "./appends.js";
import type { Appended, StreamAppend } from "./batchAppends.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { AppendTooLarge, isAccessDenied, reasonOf } from "./failures.js";
import { positionOf, toStreamEvent, toRecordedEvent, sizeOfAll, jsonEvent, sizeOf } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { readEnd, readForwards, readNewest, readWhole } from "./streamReads.js";
import { toChunks } from "../textChunks.js";
import { deleteAt } from "./streamDeletion.js";
import { standingOf, TextEvents, type Standing } from "./textStreams.js";

interface EventStoreEventLogOptions extends ConnectionOptions {
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
    /** The id of the event by which the namespace was claimed, the first of this log. */
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

const program = "enterprise-search";
/** The layout of streams and events. A program refuses a namespace with a later one. */
const layout = 1;

/**
 * Makes sure that the event store answers, that it takes appends, and that the namespace belongs to this program: its
 * first event says so, and the process that opens a namespace first writes that event. Resolves with the event's id.
 * Rejects with one sentence where that cannot be.
 */
async function claimNamespace(connection: Connection, names: StreamNames): Promise<string> {
  try {
    let [first] = await readForwards(connection, names.claim, { fromRevision: 0, maxCount: 1 });
    if (first === undefined) {
      await append(connection, {
        stream: names.claim,
        expectedRevision: "noStream",
        events: [jsonEvent({ type: "NamespaceClaimed", data: { program, layout } })],
      });
      [first] = await readForwards(connection, names.claim, { fromRevision: 0, maxCount: 1 });
    }
    const claim = first?.data as { readonly program?: unknown; readonly layout?: unknown } | undefined;
    if (claim?.program !== program)
      throw new ForeignNamespace(
        `The namespace of stream ${names.claim} belongs to another program. Choose another namespace.`,
      );
    if (typeof claim.layout !== "number" || claim.layout > layout) {
      throw new ForeignNamespace(
        `The namespace of stream ${names.claim} was written by a newer version of this program. Upgrade the program.`,
      );
    }
    return first?.id ?? "";
  } catch (error) {
    if (error instanceof ForeignNamespace) throw error;
    if (isAccessDenied(error))
      throw new Error(`The event store at ${connection.target.hosts} refuses access: ${reasonOf(error)}.`, {
        cause: error,
      });
    throw error;
  }
}

class ForeignNamespace extends Error {}

/** A text that this append was the first to write: it has to go again where the append is refused. */
interface WrittenText {
  readonly stream: string;
  readonly lastRevision: Revision;
}

/** A text that is being written. */
interface Begun extends Standing {
  readonly last: Revision;
}

/**
 * Makes texts durable before the event that refers to them. It goes on with whatever is there of a text, half written
 * by a process that died or whole from an earlier event, instead of writing it again.
 */
class TextWriter {
  constructor(
    private readonly connection: Connection,
    private readonly names: StreamNames,
  ) {}

  /**
   * `seed` is equal for repeats of the same append, and only for those. Where a part of the text is there already,
   * `isWanted` is asked before anything is written. Returns what {@link withdraw} would take back.
   */
  async write(content: NewContent, seed: string, isWanted: () => Promise<boolean>): Promise<WrittenText | null> {
    const stream = this.names.ofText(content);
    const chunks = toChunks(content.text);
    const events = new TextEvents(this.names.textBegun, chunks, `${seed} ${stream}`, content.datasource ?? null);
    const begun = await this.begin(stream, events, "noStream");
    if (begun === "erased") return null;
    const lastRevision = begun === null ? null : await this.complete(stream, events, begun);
    if (lastRevision !== null) return { stream, lastRevision };
    if (!(await isWanted())) return null;
    while (!(await this.goOn(stream, events)));
    return null;
  }

  /** Takes back a text whose event was refused, unless another append relies on it by now. */
  async withdraw({ stream, lastRevision }: WrittenText): Promise<void> {
    await deleteAt(this.connection, stream, lastRevision).catch(() => undefined);
  }

  /** Writes the beginning where the stream is as expected; null where it is not. */
  private async begin(
    stream: string,
    events: TextEvents,
    expectedRevision: ExpectedRevision,
  ): Promise<Begun | "erased" | null> {
    const first = events.begin(String(expectedRevision));
    const outcome = await append(this.connection, {
      stream,
      expectedRevision,
      events: [first, events.chunk(0, first.id)],
    });
    if (outcome.kind === "conflict") return null;
    // These very events were written and erased before. The append is a repeat, and the text that it wrote does not
    // come back.
    return outcome.position === null ? "erased" : { text: first.id, next: 1, last: outcome.revision };
  }

  /** The revision of the last chunk; null where another writer came between. */
  private async complete(stream: string, events: TextEvents, { text, next, last }: Begun): Promise<Revision | null> {
    let expectedRevision = last;
    for (let index = next; index < events.count;) {
      const batch = [events.chunk(index++, text)];
      for (let bytes = batch.reduce((sum, chunk) => sum + sizeOf(chunk), 0); index < events.count; index++) {
        const chunk = events.chunk(index, text);
        bytes += sizeOf(chunk);
        if (bytes > maxAppendBytes) break;
        batch.push(chunk);
      }
      const outcome = await append(this.connection, { stream, expectedRevision, events: batch });
      if (outcome.kind === "conflict") return null;
      expectedRevision = outcome.revision;
    }
    return expectedRevision;
  }

  /** One attempt to complete the text from what is there now. */
  private async goOn(stream: string, events: TextEvents): Promise<boolean> {
    const newest = await readNewest(this.connection, stream);
    const last = newest === null ? "noStream" : Number(newest.revision);
    const standing = newest === null ? null : standingOf(newest, events.count);
    if (standing === null || last === "noStream" || !(await this.stands(stream))) {
      const begun = await this.begin(stream, events, last);
      return begun === "erased" || (begun !== null && (await this.complete(stream, events, begun)) !== null);
    }
    const isWhole = standing.next === events.count;
    const written = isWhole
      ? await this.keep(stream, events, standing.text, last)
      : (await this.complete(stream, events, { ...standing, last })) !== null;
    return written && this.stands(stream);
  }

  /** Notes that a later event relies on the text as well. */
  private async keep(stream: string, events: TextEvents, text: string, last: Revision): Promise<boolean> {
    const outcome = await append(this.connection, {
      stream,
      expectedRevision: last,
      events: [events.keep(text, String(last))],
    });
    return outcome.kind === "appended";
  }

  /**
   * False where the text was erased meanwhile: a deleted stream takes appends as if nothing had happened, and shows
   * only them.
   */
  private async stands(stream: string): Promise<boolean> {
    const [first] = await readForwards(this.connection, stream, { fromRevision: 0, maxCount: 1 });
    return first?.type === this.names.textBegun;
  }
}
