import type { EventSource } from "../../events/eventSource.js";
import type { ComparedDifference } from "../../events/projection.js";
import type { Position } from "../../shared/position.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { Proof } from "./proof.js";
import type { Sample } from "./sampling.js";
import type { VerificationProgress } from "./verification.js";
import type { Checkpointed } from "../../../queries/ports.js";
import type { ParkedEvent } from "../../readModels/projectionStatus.js";

/** What a look at a read model is made with. */
export interface VerificationInput {
  readonly log: EventSource;
  readonly tokens: PrincipalTokens;
  /** Left out: everything. */
  readonly sample?: Sample;
  /** Waited for after each batch, so that others get their turn. */
  rest(): Promise<void>;
  onProgress?(progress: VerificationProgress): void;
  readonly signal?: AbortSignal;
  /** How long readers may take to come as far as the log. */
  readonly limits?: { readonly reachMs: number };
}

/** What came of comparing two versions. */
export interface ComparedVersions {
  readonly position: Position;
  /** Each kind of what was compared, with how many there were. */
  readonly compared: readonly (readonly [kind: string, count: number])[];
  readonly differences: readonly ComparedDifference[];
}

/** How the versions of a read model are held against the log, and against each other. */
export interface Provable<Reader> {
  /** A proof needs one version from beginning to end. Else it may go on with whichever is served at each question. */
  readonly needsOneVersion: boolean;
  /** `progress`: how far what is served has come, which may be another version by then. */
  prove(look: VerificationInput, reader: Reader, progress: Proof["progress"]): Proof;
  /** What `next` answers otherwise than `live`. Throws `ReadersBehind` where one does not come as far as the log. */
  compare(look: VerificationInput, live: Reader, next: Reader): Promise<ComparedVersions>;
}

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
