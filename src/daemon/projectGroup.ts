import type { Logger } from "pino";
import type { EventSource, LeaseGrant } from "../../projections/ports.js";
import { runWithLease } from "../../projections/runWithLease.js";
import type { PrincipalTokens } from "../shared/principalTokens.js";
import type { ProjectedLog } from "./ports.js";
import { messageOf, retryDelayMs, type OnProjectionError } from "./projectAndLog.js";
import { type ProjectionFeed, whenState } from "./projectionFeed.js";
import type { OpenedProjecting, ReadModel } from "./readModel.js";
import { standInFor } from "./versioned.js";
import type { ProjectionName } from "../events/projection.js";

/** What projections are made with. */
export interface ProjectingServices {
  readonly log: ProjectedLog;
  readonly tokens: PrincipalTokens;
  /** Tells which versions are served. */
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  readonly onProjectionError?: OnProjectionError;
}

/** Projections at work. */
export interface RunningProjections {
  /** Finishes the batches at hand, saves their checkpoints and releases what was opened. */
  stop(): Promise<void>;
}

/**
 * Starts projections that share this thread, each into the version that the feed says is served. All of a group lie in
 * one engine: where that has leases, they are projected under one. Rejects where an engine cannot be had.
 */
export async function startGroup(
  group: string,
  readModels: readonly ReadModel[],
  services: ProjectingServices,
): Promise<RunningProjections> {
  const { logger } = services;
  const opened: { readonly readModel: ReadModel; readonly projecting: OpenedProjecting }[] = [];
  const close = async (): Promise<void> => {
    for (const { projecting } of opened.toReversed()) await projecting.close();
  };
  try {
    for (const readModel of readModels)
      opened.push({ readModel, projecting: await readModel.openProjecting({ leaseName: group, logger }) });
  } catch (error) {
    await close();
    throw error;
  }
  const project = async (grant: LeaseGrant | null, signal: AbortSignal): Promise<void> => {
    await Promise.all(
      opened.map(({ readModel, projecting }) => projectLive(readModel, projecting, services, grant, signal)),
    );
  };
  const stopping = new AbortController();
  const lease = opened[0]?.projecting.lease ?? null;
  const about = (token: bigint): object => ({ projectors: group, token: token.toString() });
  const run =
    lease === null
      ? project(null, stopping.signal)
      : runWithLease({
          lease,
          signal: stopping.signal,
          work: project,
          onGranted: (token) => logger.info(about(token), "This process projects now."),
          onEnded: (token) => logger.info(about(token), "This process does not project any more."),
          onFailure: (error) => {
            logger.error(
              { err: error, projectors: group },
              "The projectors' lease or engine failed; it is asked for again.",
            );
            tellOfAll(readModels, services, error);
          },
          retryDelayMs,
        });
  return {
    stop: async () => {
      stopping.abort();
      await run;
      await close();
    },
  };
}

/** Where the lease cannot be had, none of the group goes on. */
function tellOfAll(
  readModels: readonly ReadModel[],
  { feed, onProjectionError }: ProjectingServices,
  error: unknown,
): void {
  for (const { name } of readModels)
    onProjectionError?.({ projection: name, version: feed.of(name).live, kind: "failure", message: messageOf(error) });
}

/**
 * Projects into the live version. Where another version stands in for it, projects into that one as well, until the
 * live one has come to the end of the log.
 */
function projectLive(
  readModel: ReadModel,
  projecting: OpenedProjecting,
  { log, feed, ...services }: ProjectingServices,
  grant: LeaseGrant | null,
  signal: AbortSignal,
): Promise<void> {
  const { name, batchesEvents } = readModel;
  const projectInto = (version: number, until: AbortSignal, onCaughtUp: () => void): Promise<void> =>
    projecting.project({
      ...services,
      contents: log.contents,
      source: tellingCaughtUp(log.source({ batches: batchesEvents }), onCaughtUp),
      ...{ version, grant, signal: until, building: null },
      earlier: feed.of(name).superseded.findLast((other) => other !== version) ?? null,
    });
  return projectLiveVersion({
    ...{ name, feed, signal },
    project: async (version, until) => {
      const standIn = standInFor(readModel, feed.of(name));
      const isWhole = new AbortController();
      const others =
        standIn === null ? [] : [projectInto(standIn, AbortSignal.any([until, isWhole.signal]), () => undefined)];
      await Promise.all([
        projectInto(version, until, () => {
          // This is called after every batch, and an abort makes an error each time.
          if (!isWhole.signal.aborted) isWhole.abort();
        }),
        ...others,
      ]);
    },
  });
}

type ClosableSource = EventSource & { close(): void | Promise<void> };

/**
 * Calls back whenever everything in the log has been applied: a subscriber asks for the next batch only once it has
 * applied the last one.
 */
export const tellingCaughtUp = (source: ClosableSource, onCaughtUp: () => void): ClosableSource => ({
  head: () => source.head(),
  holds: (checkpoint, categories) => source.holds(checkpoint, categories),
  close: () => source.close(),
  ...(source.before !== undefined && { before: (position) => source.before?.(position) ?? Promise.resolve(position) }),
  async *subscribe(request) {
    for await (const batch of source.subscribe(request)) {
      yield batch;
      if (batch.caughtUp) onCaughtUp();
    }
  },
});

interface LiveProjecting {
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
async function projectLiveVersion({ name, feed, signal, project }: LiveProjecting): Promise<void> {
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
