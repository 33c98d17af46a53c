/** Why a version of a projection could not go on, or not with everything. */
export interface RecordedProjectionError {
  /** Its name. */
  readonly projection: string;
  readonly version: number;
  /** `failure`: it waits and tries again; `parked`: an event was left aside and the rest went on. */
  readonly kind: "failure" | "parked";
  /** ISO instant. */
  readonly at: string;
  /** A sentence. */
  readonly message: string;
  /** ISO instant at which it went on again; null: not yet. */
  readonly recoveredAt: string | null;
}

/** One error is kept per version and kind: the newest. */
export const projectionErrorKey = ({
  projection,
  version,
  kind,
}: Pick<RecordedProjectionError, "projection" | "version" | "kind">): string => `${projection}-${version} ${kind}`;
