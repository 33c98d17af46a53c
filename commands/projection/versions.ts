import { match } from "ts-pattern";
import { firstVersion, type ComparisonSummary, type ProjectionEvent } from "../../src/events/projection.js";
import type { Aggregate } from "../aggregate.js";

/** A version on its way to being served. */
export interface VersionUnderWay {
  readonly version: number;
  /** `rebuild`: from the log's beginning; `rollback`: it was served before and catches up. */
  readonly kind: "rebuild" | "rollback";
  readonly verify: boolean;
  readonly accepted: boolean;
  /** null: not yet. */
  readonly comparison: ComparisonSummary | null;
}

/** Which versions of a read model there are. */
export interface ProjectionState {
  /** The version that is served. */
  readonly live: number;
  /** The highest number that was ever given out. */
  readonly newest: number;
  /** Served before and kept, the last one first. */
  readonly kept: readonly number[];
  /** How many of those are kept. */
  readonly keep: number;
  /** Served before, kept or not: storage of theirs may still be somewhere. */
  readonly superseded: readonly number[];
  readonly underWay: VersionUnderWay | null;
  readonly paused: boolean;
  /** Versions and positions of parked events that are passed over. */
  readonly discarded: readonly string[];
}

/** No version but the first, which is served. */
export const initialState = (): ProjectionState => ({
  live: firstVersion,
  newest: firstVersion,
  kept: [],
  keep: 1,
  superseded: [],
  underWay: null,
  paused: false,
  discarded: [],
});

/** True where nothing stands in the way of serving it. */
export const isAcceptable = ({ kind, accepted, comparison }: VersionUnderWay): boolean =>
  kind === "rollback" || (comparison !== null && (accepted || comparison.differences === 0));

/** What an event leaves of them. A version that was served before is kept, until it is dropped. */
export function evolve(state: ProjectionState, event: ProjectionEvent): ProjectionState {
  return match(event)
    .returnType<ProjectionState>()
    .with({ type: "ProjectionRebuildStarted" }, ({ data: { version, verify, keep, accepted } }) => ({
      ...state,
      newest: version,
      keep,
      underWay: { version, kind: "rebuild", verify, accepted, comparison: null },
    }))
    .with({ type: "ProjectionRollbackStarted" }, ({ data: { version } }) => ({
      ...state,
      underWay: { version, kind: "rollback", verify: false, accepted: true, comparison: null },
    }))
    .with({ type: "ProjectionCompared" }, ({ data: { comparison } }) => ({
      ...state,
      underWay: state.underWay && { ...state.underWay, comparison },
    }))
    .with({ type: "ProjectionVersionAccepted" }, () => ({
      ...state,
      underWay: state.underWay && { ...state.underWay, accepted: true },
    }))
    .with({ type: "ProjectionVersionActivated" }, ({ data: { version } }) => {
      const kept = [state.live, ...state.kept].filter((other) => other !== version);
      const superseded = [...new Set([...state.superseded, state.live])].filter((other) => other !== version);
      return { ...state, live: version, kept, superseded, underWay: null };
    })
    .with({ type: "ProjectionVersionDropped" }, ({ data: { version } }) => ({
      ...state,
      kept: state.kept.filter((other) => other !== version),
      underWay: state.underWay?.version === version ? null : state.underWay,
    }))
    .with({ type: "ProjectionPaused" }, () => ({ ...state, paused: true }))
    .with({ type: "ProjectionResumed" }, () => ({ ...state, paused: false }))
    .with({ type: "ParkedEventRetried" }, { type: "ReadModelRepairRequested" }, () => state)
    .with({ type: "ParkedEventDiscarded" }, ({ data }) => ({
      ...state,
      discarded: [...state.discarded, parkedKey(data)],
    }))
    .exhaustive();
}

/** Names one parked event among those of all versions. */
export const parkedKey = ({ version, position }: { readonly version: number; readonly position: string }): string =>
  `${version}/${position}`;

export const projectionAggregate: Aggregate<ProjectionState, ProjectionEvent> = {
  initialState,
  evolve,
  cacheCost: ({ discarded }) => 4 + discarded.length,
};
