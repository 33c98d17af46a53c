import { match } from "ts-pattern";
import { isDiscardable } from "../../src/events/discardable.js";
import {
  firstVersion,
  type ComparisonSummary,
  type ProjectionEvent,
  type ProjectionName,
} from "../../src/events/projection.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Decision } from "../aggregate.js";
import { isAcceptable, parkedKey, type ProjectionState } from "./versions.js";

export type ProjectionCommand = { readonly projection: ProjectionName } & (
  | { readonly type: "StartRebuild"; readonly verify: boolean; readonly keep: number; readonly accepted: boolean }
  | { readonly type: "RecordComparison"; readonly version: number; readonly comparison: ComparisonSummary }
  | { readonly type: "AcceptVersion" }
  | { readonly type: "ActivateVersion"; readonly version: number }
  | { readonly type: "RollBack" }
  | { readonly type: "DropVersion"; readonly version: number }
  | { readonly type: "PauseProjection" }
  | { readonly type: "ResumeProjection" }
  | { readonly type: "RetryParked"; readonly version: number; readonly position: string }
  | { readonly type: "DiscardParked"; readonly version: number; readonly position: string; readonly eventType: string }
  | { readonly type: "RepairReadModel"; readonly version: number; readonly scopes: readonly string[] }
);

/** A process that died repeats the last step of a rebuild. A step that the log holds already yields no event. */
export function decide(command: ProjectionCommand, state: ProjectionState): Decision<ProjectionEvent> {
  const { projection } = command;
  const { underWay, live, kept, newest } = state;
  const busy = underWay && failed({ type: "RebuildUnderWay", projection, version: underWay.version } as const);
  return match(command)
    .returnType<Decision<ProjectionEvent>>()
    .with(
      { type: "StartRebuild" },
      ({ verify, keep, accepted }) =>
        busy ??
        ok([{ type: "ProjectionRebuildStarted", data: { projection, version: newest + 1, verify, keep, accepted } }]),
    )
    .with({ type: "RecordComparison" }, ({ version, comparison }) =>
      ok(
        underWay?.kind === "rebuild" && underWay.version === version
          ? [{ type: "ProjectionCompared", data: { projection, version, comparison } }]
          : [],
      ),
    )
    .with({ type: "AcceptVersion" }, () => {
      if (underWay === null) return failed({ type: "NothingToAccept", projection });
      return ok(
        underWay.accepted
          ? []
          : [{ type: "ProjectionVersionAccepted", data: { projection, version: underWay.version } }],
      );
    })
    .with({ type: "ActivateVersion" }, ({ version }) => {
      if (version === live) return ok([]);
      if (underWay?.version !== version || !isAcceptable(underWay))
        return failed({ type: "VersionNotReady", projection, version });
      return ok([
        { type: "ProjectionVersionActivated", data: { projection, version } },
        ...surplus(projection, [live, ...kept.filter((other) => other !== version)], state.keep),
      ]);
    })
    .with({ type: "RollBack" }, () => {
      const [version] = kept;
      if (busy !== null) return busy;
      return version === undefined
        ? failed({ type: "NoVersionKept", projection })
        : ok([{ type: "ProjectionRollbackStarted", data: { projection, version } }]);
    })
    .with({ type: "DropVersion" }, ({ version }) => {
      if (version === live) return failed({ type: "VersionServed", projection, version });
      if (version > newest || version < firstVersion) return failed({ type: "VersionNotFound", projection, version });
      const isThere = kept.includes(version) || underWay?.version === version;
      return ok(isThere ? [{ type: "ProjectionVersionDropped", data: { projection, version } }] : []);
    })
    .with({ type: "PauseProjection" }, () =>
      ok(state.paused ? [] : [{ type: "ProjectionPaused", data: { projection } }]),
    )
    .with({ type: "ResumeProjection" }, () =>
      ok(state.paused ? [{ type: "ProjectionResumed", data: { projection } }] : []),
    )
    .with({ type: "RetryParked" }, ({ version, position }) =>
      ok([{ type: "ParkedEventRetried", data: { projection, version, position } }]),
    )
    .with({ type: "DiscardParked" }, ({ version, position, eventType }) => {
      if (!isDiscardable(projection, eventType)) return failed({ type: "ParkedEventTakesAway", projection, eventType });
      return ok(
        state.discarded.includes(parkedKey({ version, position }))
          ? []
          : [{ type: "ParkedEventDiscarded", data: { projection, version, position } }],
      );
    })
    .with({ type: "RepairReadModel" }, ({ version, scopes }) =>
      ok(scopes.length === 0 ? [] : [{ type: "ReadModelRepairRequested", data: { projection, version, scopes } }]),
    )
    .exhaustive();
}

/**
 * The versions beyond `keep` go in the append that activates another, so that a process that dies leaves none behind.
 */
const surplus = (projection: ProjectionName, kept: readonly number[], keep: number): readonly ProjectionEvent[] =>
  kept.slice(keep).map((version) => ({ type: "ProjectionVersionDropped", data: { projection, version } }));
