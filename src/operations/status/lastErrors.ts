import type { ProjectionName } from "../../events/projection.js";
import type { ProjectionError } from "../../readModels/projectionStatus.js";
import { projectionErrorKey, type RecordedProjectionError } from "../../readModels/projectionError.js";
import type { VersionFacts } from "../../daemon/ports.js";
import { factsIn, type NoFacts } from "./versionFacts.js";

/** What is to be told of a version, which was found like this. */
export type LastErrors = (
  projection: ProjectionName,
  version: number,
  found: VersionFacts | NoFacts,
) => ProjectionError | null;

/**
 * What it waits for comes first, be it that its engine does not answer here either; then that events are parked, as
 * long as any is; then what is over.
 */
export const lastErrorsOf =
  (errors: ReadonlyMap<string, RecordedProjectionError>): LastErrors =>
  (projection, version, found) => {
    const failure = errors.get(projectionErrorKey({ projection, version, kind: "failure" }));
    if (failure !== undefined && failure.recoveredAt === null) return described(failure);
    if ("failure" in found) return { at: new Date().toISOString(), message: found.failure, recovered_at: null };
    const parked = errors.get(projectionErrorKey({ projection, version, kind: "parked" }));
    if (parked !== undefined && (factsIn(found)?.parked ?? 0) > 0) return described(parked);
    return failure === undefined ? null : described(failure);
  };

const described = ({ at, message, recoveredAt }: RecordedProjectionError): ProjectionError => ({
  at,
  message,
  recovered_at: recoveredAt,
});
