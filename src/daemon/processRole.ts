import type { Role } from "../config.js";
import type { ReadModel } from "./readModel.js";

/** What this process is there for. */
export interface ProcessRole {
  readonly role: Role;
  /** Whether all processes on this log share one data folder: with engines elsewhere they need not. */
  readonly sharesFolder: boolean;
}

type Placed = Pick<ReadModel, "placement">;

/**
 * Whether this process projects the read model, builds and frees its versions: a process that projects does. One that
 * lies in a folder that others do not share is projected by each process that answers requests.
 */
export const isProjectedHere = ({ placement }: Placed, { role, sharesFolder }: ProcessRole): boolean =>
  placement === "shared" || sharesFolder ? role !== "api" : role !== "projector";

/** Whether this process can tell anything of it. */
export const isKnownHere = ({ placement }: Placed, { role, sharesFolder }: ProcessRole): boolean =>
  placement === "shared" || sharesFolder || role !== "projector";
