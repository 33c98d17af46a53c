import type { Logger } from "pino";
import { EngineUnavailable, type EventSource, type ProjectionWriter } from "../../projections/ports.js";
import { isDamage } from "../shared/damage.js";
import { openIdentified, type Identified } from "./openIdentified.js";
import type { OpenedStore, Storage } from "./ports.js";
import { projectAndLog, type ProjectionStart } from "./projectAndLog.js";

/** A projection that is to run; its writer is made for each storage anew. */
export interface StorageProjecting<Change> extends Omit<ProjectionStart<Change>, "writer"> {
  readonly version: number;
}

/** Where it writes to. */
export interface ProjectedStorage<Change, Store> {
  readonly storage: Pick<Storage<Store, never>, "checkpoint" | "identity" | "setAside">;
  open(): Promise<OpenedStore<Store>>;
  writerOf(store: Store): ProjectionWriter<Change>;
}

/** How often is looked whether another process has set the storage aside. */
const lookMs = 1_000;

/** Why a storage is left. */
type Ending = "stopped" | "replaced" | "ofAnotherLog" | "damaged";

const sentences = {
  ofAnotherLog:
    "What was projected belongs to another log than the one that is read, or the log has gone back in time. It is set aside, and rebuilt from the log.",
  damaged: "A file of the read models is damaged. It is set aside, and rebuilt from the log.",
} as const;

/**
 * Projects into a version's storage until the signal aborts. Before it follows the log, at the start and after every
 * failure, it makes sure that this is the log whose events the storage holds. Where it is not, or where the storage is
 * damaged, that one is set aside and another one is filled from the beginning.
 */
export async function projectIntoStorage<Change, Store>(
  start: StorageProjecting<Change>,
  place: ProjectedStorage<Change, Store>,
  logger: Logger,
): Promise<void> {
  const { source, signal, projection, version } = start;
  try {
    while (!signal.aborted) {
      const { ending, identity } = await projectUntilReplaced(start, place, logger);
      if (ending === "stopped") return;
      if (ending === "replaced") continue;
      const kept = await place.storage.setAside(version, identity);
      logger.error({ projection: projection.name, version, kept }, sentences[ending]);
    }
  } finally {
    await source.close();
  }
}

async function projectUntilReplaced<Change, Store>(
  start: StorageProjecting<Change>,
  { storage, open, writerOf }: ProjectedStorage<Change, Store>,
  logger: Logger,
): Promise<{ readonly ending: Ending; readonly identity: string | null }> {
  const { source, signal, projection, version } = start;
  const identityBefore = storage.identity(version);
  let opened: Identified<OpenedStore<Store>>;
  try {
    opened = await openIdentified(storage, version, open);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { ending: "damaged", identity: identityBefore };
  }
  const { identity } = opened;
  const leaving = new AbortController();
  let ending: Ending = "stopped";
  const leave = (why: Ending): void => {
    if (!leaving.signal.aborted) ending = why;
    leaving.abort();
  };
  const look = setInterval(() => storage.identity(version) !== identity && leave("replaced"), lookMs);
  const tellDamage = (error: unknown): void => void (isDamage(error) && leave("damaged"));
  const assertSameLog = async (): Promise<void> => {
    const checkpoint = await telling(storage.checkpoint(version), tellDamage);
    if (await source.holds(checkpoint, projection.categories)) return;
    leave("ofAnotherLog");
    throw new Error(sentences.ofAnotherLog);
  };
  try {
    await projectAndLog(
      {
        ...start,
        writer: watched(writerOf(opened.store), tellDamage),
        source: checkedFirst(source, assertSameLog),
        signal: AbortSignal.any([signal, leaving.signal]),
      },
      logger,
    );
  } finally {
    clearInterval(look);
    await closed(opened, logger);
  }
  return { ending: signal.aborted ? "stopped" : ending, identity };
}

/** What a damaged storage cannot save any more when it is closed is projected anew. */
async function closed(opened: OpenedStore<unknown>, logger: Logger): Promise<void> {
  try {
    await opened.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    logger.warn({ err: error }, "A damaged file could not be closed in order.");
  }
}

/** The log, once it is known that it is the right one. */
const checkedFirst = (source: EventSource, check: () => Promise<void>): EventSource & { close(): void } => ({
  head: () => source.head(),
  holds: (checkpoint, categories) => source.holds(checkpoint, categories),
  // It is closed by whoever has opened it.
  close: () => undefined,
  ...(source.before !== undefined && { before: (position) => source.before?.(position) ?? Promise.resolve(position) }),
  async *subscribe(request) {
    await check();
    yield* source.subscribe(request);
  },
});

/** A writer whose failures are told. */
const watched = <Change>(
  writer: ProjectionWriter<Change>,
  onFailure: (error: unknown) => void,
): ProjectionWriter<Change> => ({
  checkpoint: () => telling(writer.checkpoint(), onFailure),
  apply: (batch) => telling(writer.apply(batch), onFailure),
});

/** No event is at fault for a damaged storage. */
async function telling<Value>(outcome: Promise<Value>, onFailure: (error: unknown) => void): Promise<Value> {
  try {
    return await outcome;
  } catch (error) {
    onFailure(error);
    throw isDamage(error) ? new EngineUnavailable((error as Error).message, { cause: error }) : error;
  }
}
