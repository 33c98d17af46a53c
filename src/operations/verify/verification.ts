import type { Result } from "../../shared/result.js";
import type { Position } from "../../shared/position.js";
import type { QueryFailure } from "../../../queries/queries.js";

/** Compare a version of a read model with what the log says. */
export interface VerifyReadModel {
  /** The projection's name. */
  readonly name: string;
  /** 0 to 1: how large a part is looked at. */
  readonly sample: number;
  /** Chooses the part: the same seed, the same part. */
  readonly seed: string;
  /** The version under way, or the one that is served; that one where left out. */
  readonly version?: number;
}

/** Something that is served otherwise than the log says. */
export interface DriftAnswer {
  kind: "document" | "person" | "group" | "datasource" | "credential" | "event";
  /**
   * `{datasource}/{id}`, an email, `{group} on {datasource}`, a datasource's name, a credential's id, `account
   * {email}`, `session {id}`; of the permission history also an event's position.
   */
  subject: string;
  differences: DifferenceAnswer[];
}

/** One thing that is not as the log says. */
export interface DifferenceAnswer {
  /** A field, `presence`, `principals` (who is on an access list, or what a person holds), or a decision. */
  aspect: string;
  /** What the log says; texts by their SHA-256. */
  expected?: string | null;
  served?: string | null;
  /** People and groups that should be there and are not, in words. */
  missing?: string[];
  extra?: string[];
}

/** What came of a verification. */
export interface VerificationAnswer {
  projection: string;
  version: number;
  /** The answer holds as of this position of the log, or of a later one. */
  position: string;
  sample: number;
  seed: string;
  compared: number;
  /** What was found; with a repair, what was found before it. */
  drift: DriftAnswer[];
  /** Changed whenever they were looked at: neither right nor wrong. */
  unsettled: string[];
  /** Datasources that answer nobody, because an event of them is parked. Their people were compared without them. */
  suspended: string[];
  /** False where there were too many differences to go on. */
  complete: boolean;
  /** After a repair: what is still served otherwise; null where no repair was asked for. */
  remaining: DriftAnswer[] | null;
}

/** Asks for scopes of a version to be made afresh; answers with the position of that. */
export type RequestRepair = (version: number, scopes: readonly string[]) => Promise<Position>;

export interface VerificationProgress {
  readonly compared: number;
  /** 0 to 1. */
  readonly done: number;
}

export interface VerificationWatch {
  onProgress?(progress: VerificationProgress): void;
  /** Ends the comparison with the signal's reason; a repair that was asked for is made all the same. */
  readonly signal?: AbortSignal;
}

/** Proving that what is served equals what the log says. */
export interface Verification {
  /** With `repair`, the projecting process makes afresh what differs, and it is compared again. */
  verify(
    question: VerifyReadModel,
    repair: RequestRepair | null,
    watch?: VerificationWatch,
  ): Promise<Result<VerificationAnswer, QueryFailure>>;
}
