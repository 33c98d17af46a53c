import { delay } from "../../shared/waiting.js";

/** How often is looked, and after how much silence a sign of life is sent. */
interface LivePace {
  readonly everyMs: number;
  readonly signOfLifeMs: number;
  /** A client that listens longer than this asks again, with its credential. */
  readonly longestMs: number;
}

/** The status that is sent live. */
interface LiveSource {
  look(): Promise<unknown>;
  /** Whether the service ends, so that clients that listen have to go elsewhere. */
  isStopping(): Promise<boolean>;
}

const nothing = ": nothing new\n\n";

/**
 * Server-sent events: what a look finds, whenever it is not what was told last, and a comment while nothing changes, so
 * that nobody takes the connection for dead. Ends where the signal aborts, where the service stops, after so many
 * events and after some time.
 */
export async function* liveEvents(
  { look, isStopping }: LiveSource,
  { everyMs, signOfLifeMs, longestMs }: LivePace,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): AsyncGenerator<string, void, void> {
  let [last, toldAt] = ["", performance.now()];
  const end = toldAt + longestMs;
  const isOver = async (): Promise<boolean> => signal.aborted || performance.now() > end || (await isStopping());
  for (let told = 0; told < most && !(await isOver());) {
    const found = JSON.stringify(await look());
    if (found !== last) {
      [last, toldAt] = [found, performance.now()];
      told++;
      yield `data: ${found}\n\n`;
    } else if (performance.now() - toldAt >= signOfLifeMs) {
      toldAt = performance.now();
      yield nothing;
    }
    if (told < most) await delay(everyMs, signal);
  }
}

/** Lets all who look within this time share one look: it counts events, and more than one may watch. */
export function sharedLook<Found>(look: () => Promise<Found>, forMs: number): () => Promise<Found> {
  let shared: { readonly found: Promise<Found>; readonly until: number } | null = null;
  return () => {
    if (shared === null || performance.now() >= shared.until)
      shared = { found: look(), until: performance.now() + forMs };
    return shared.found;
  };
}
