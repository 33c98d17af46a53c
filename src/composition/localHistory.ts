import type { ProjectionState } from "../../commands/projection/versions.js";
import { readHistoryPosition } from "../adapters/permissionHistory/sqlite/readHistoryPosition.js";
import type { Position } from "../shared/position.js";
import { fileOf } from "./versionPlaces.js";

/** The file of a version of the permission history in a data folder. */
export const historyFile = (dataDir: string, version: number): string =>
  fileOf(dataDir, { name: "permissionHistory", version });

/** How far a version has come in this data folder; null where it is not there. */
const positionOf = (dataDir: string, version: number): Position | null =>
  readHistoryPosition(historyFile(dataDir, version));

/** Whether this version has come further here than the one that is to be served. */
export function isAheadOfLive(dataDir: string, version: number, { live }: ProjectionState): boolean {
  const position = positionOf(dataDir, version);
  return position !== null && position > (positionOf(dataDir, live) ?? -1n);
}

/**
 * The permission history lies in each process's own data folder, and a version is activated for all as soon as one of
 * them has it. Where it is not whole yet, the one that was served before stands in for it: the one that has come
 * furthest here, of several the one that was served last. null: the live one is as far as any.
 */
export function standInFor(dataDir: string, state: ProjectionState): number | null {
  const positions = state.superseded.map((version) => ({ version, position: positionOf(dataDir, version) ?? -1n }));
  const furthest = positions.reduce<(typeof positions)[number] | null>(
    (most, each) => (most === null || each.position >= most.position ? each : most),
    null,
  );
  return furthest !== null && isAheadOfLive(dataDir, furthest.version, state) ? furthest.version : null;
}
