import type { ProjectionName } from "../events/projection.js";
import { whenState, type ProjectionFeed } from "./projectionFeed.js";

export interface LiveProjecting {
  readonly name: ProjectionName;
  readonly feed: ProjectionFeed;
  readonly signal: AbortSignal;
  /** Projects into this version until the signal aborts. */
  project(version: number, signal: AbortSignal): Promise<void>;
}

/**
 * Projects into the version that is served, whichever that is, until the signal aborts; stands still while the
 * projection is paused. Each version goes on from its own checkpoint.
 */
export async function projectLiveVersion({ name, feed, signal, project }: LiveProjecting): Promise<void> {
  while (!signal.aborted) {
    const { live, paused } = await whenState(feed, name, (state) => !state.paused, signal);
    if (paused || signal.aborted) return;
    const changed = new AbortController();
    const ended = AbortSignal.any([signal, changed.signal]);
    const watching = whenState(feed, name, (state) => state.paused || state.live !== live, ended).then(() =>
      changed.abort(),
    );
    try {
      await project(live, ended);
    } finally {
      changed.abort();
      await watching;
    }
  }
}
