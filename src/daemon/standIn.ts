import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ReadModel } from "./readModel.js";

type Placed = Pick<ReadModel, "placement">;

/** Whether this version has come further here than the live one; never where all processes see the same. */
export function isAheadOfLive({ placement }: Placed, version: number, { live }: ProjectionState): boolean {
  if (placement === "shared") return false;
  const position = placement.positionOf(version);
  return position !== null && position > (placement.positionOf(live) ?? -1n);
}

/**
 * The version that answers here in place of the live one; null: the live one has come as far as any. A read model that
 * lies in each process's own data folder switches to a version for all processes as soon as one has it. Where it is
 * not whole yet, a version that was served before stands in for it: the one that has come furthest here, and of equal
 * ones the one that was served last.
 */
export function standInFor(readModel: Placed, state: ProjectionState): number | null {
  const { placement } = readModel;
  if (placement === "shared") return null;
  const positions = state.superseded.map((version) => ({ version, position: placement.positionOf(version) ?? -1n }));
  const furthest = positions.reduce<(typeof positions)[number] | null>(
    (most, each) => (most === null || each.position >= most.position ? each : most),
    null,
  );
  return furthest !== null && isAheadOfLive(readModel, furthest.version, state) ? furthest.version : null;
}
