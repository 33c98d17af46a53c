import type { Lease, LeaseTiming } from "../../projections/ports.js";
import type { Config } from "../config.js";
import type { ProjectingServices } from "./projectGroup.js";
import type { ReadModel } from "./readModel.js";

/** What every thread needs of the settings, whatever engines there are: it logs by itself. */
export type ThreadConfig = Pick<Config, "logLevel">;

/** What a thread projects with: the log, and every read model, of which nothing is opened yet. */
export interface Projecting extends Pick<ProjectingServices, "log" | "tokens"> {
  readonly readModels: {
    readonly all: readonly ReadModel[];
    named(name: string): ReadModel | null;
    /** A lease among the processes of this machine, where the engine has none. */
    fileLease(name: string, timing?: LeaseTiming): Lease & { close(): void };
  };
  close(): Promise<void>;
}

/** Opens it in the thread itself, by settings that were sent to it. */
export type OpenProjecting<ThreadsConfig> = (config: ThreadsConfig) => Promise<Projecting>;
