import type { Checkpointed } from "../../../queries/ports.js";
import type { ParkedEvent } from "../../readModels/projectionStatus.js";
import type { Proof } from "./proof.js";
import type { VerificationInput } from "./provable.js";

/** The versions, parked events and served reader of each projection, by its name. */
export interface VerifiedReadModels {
  /** null: people are answered from no such read model. */
  readModel(name: string): VerifiedReadModel | null;
  /** Which versions of a projection exist; for an unknown name: the first. */
  versionsOf(name: string): ComparableVersions;
  /** What a projection could not apply, in log order; for an unknown name: nothing. */
  parked(name: string): Promise<readonly ParkedEvent[]>;
}

/** A read model that people are answered from. */
export interface VerifiedReadModel {
  /** How far what is served has come. */
  readonly progress: Pick<Checkpointed, "reached">;
  /** Holds a version against the log; null: whatever is served. */
  prove(look: VerificationInput, version: number | null): Promise<OpenedProof>;
}

interface OpenedProof {
  readonly proof: Proof;
  close(): Promise<void> | void;
}

interface ComparableVersions {
  readonly live: number;
  /** The version that is being built or catches up. */
  readonly underWay: number | null;
  /** Served before; nothing is projected into them. */
  readonly kept: readonly number[];
}

/** How long readers may take to come as far as the log, and a repair to be made. */
export interface Patience {
  readonly reach: number;
  readonly repair: number;
}
