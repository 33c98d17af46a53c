import type { NewContent } from "../../../../commands/ports.js";
import type { ExpectedRevision, Revision } from "../../../shared/position.js";
import { toChunks } from "../textChunks.js";
import { append, maxAppendBytes } from "./appends.js";
import type { Connection } from "./connection.js";
import { sizeOf } from "./streamEvent.js";
import { deleteAt } from "./streamDeletion.js";
import type { StreamNames } from "./streamNames.js";
import { readForwards, readNewest } from "./streamReads.js";
import { standingOf, TextEvents, type Standing } from "./textStreams.js";

/** A text that this append was the first to write: it has to go again where the append is refused. */
export interface WrittenText {
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
export class TextWriter {
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
