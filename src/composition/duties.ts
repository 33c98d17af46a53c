import type { Config } from "../config.js";
import { readModelNames, type ReadModelName } from "../events/projection.js";

/** What tells what a process has to do. */
export type DutiesConfig = Pick<Config, "role" | "redisUrl">;

/**
 * Whether this process keeps the permission history, which is a file of its data folder: with Redis processes need not
 * share one, so each that answers requests keeps its own; else whoever projects does.
 */
export const keepsHistory = ({ role, redisUrl }: DutiesConfig): boolean =>
  redisUrl === null ? role !== "api" : role !== "projector";

/** The read models that this process projects, and of which it brings up and frees versions. */
export const projectedHere = (config: DutiesConfig): readonly ReadModelName[] =>
  readModelNames.filter((name) => (name === "permissionHistory" ? keepsHistory(config) : config.role !== "api"));

/**
 * Whether there is a permission history in this process's folder to tell of: with Redis a projector neither keeps one
 * nor reads anybody's.
 */
export const knowsHistory = ({ role, redisUrl }: DutiesConfig): boolean => role !== "projector" || redisUrl === null;
