import { setImmediate as nextTurn } from "node:timers/promises";
import { initialState } from "../../commands/projection/versions.js";
import type { ContentReader } from "../../projections/ports.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import type { ProjectionFeed } from "../daemon/projectionFeed.js";
import { createUndo } from "../operations/undo/createUndo.js";
import { readRangeOf } from "../operations/undo/readRange.js";
import { createTryOut } from "../operations/undo/tryOut.js";
import type { Undo } from "../operations/undo/undo.js";
import { verifiedReadModel } from "../daemon/verifiedReadModel.js";
import { createVerification } from "../operations/verify/createVerification.js";
import type { Verification } from "../operations/verify/verification.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import type { ReadModels } from "./readModels.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What operators use when something is not as it should be. */
export interface OperatorSide {
  readonly verification: Verification;
  readonly undo: Undo;
}

export interface OperatorParts {
  readonly writeSide: WriteSide;
  readonly readModels: ReadModels;
  readonly readSide: ReadSide;
  readonly contents: ContentReader;
  readonly feed: ProjectionFeed;
  readonly audit: AuditQueries;
}

/** How long read models may take to come as far as the log, and a repair to be made. */
const patienceMs = { reach: 30_000, repair: 10 * 60_000 };

/** Proving what is served against the log, and taking back what should not have been written. */
export function openOperatorSide(
  namespace: string,
  {
    writeSide: { commands, source, streams, log, openTrial },
    readModels,
    readSide,
    contents,
    feed,
    audit,
  }: OperatorParts,
): OperatorSide {
  return {
    verification: createVerification({
      log: source,
      tokens: new PrincipalTokens(namespace),
      readModel: (name) => {
        const served = readSide.readModel(name);
        return served === null ? null : verifiedReadModel(served);
      },
      versionsOf: (name) => {
        const readModel = readModels.named(name);
        const { live, underWay, kept } = readModel === null ? initialState() : feed.of(readModel.name);
        const isHere = readModel === null || readModel.placement === "shared";
        // What is served in a folder of its own may be the version before; see `standInFor`.
        return {
          live: isHere ? live : (readSide.readModel(name)?.version() ?? live),
          underWay: underWay?.version ?? null,
          kept,
        };
      },
      parked: async (name) => {
        const readModel = readModels.named(name);
        return readModel === null ? [] : readSide.parked(readModel);
      },
      rest: () => nextTurn(),
      patienceMs,
    }),
    undo: createUndo({
      commands,
      log: {
        readStream: (stream, fromRevision) => streams.readStream(stream, fromRevision),
        readLast: (stream) => log.readLast(stream),
        head: () => source.head(),
        readRange: readRangeOf(source),
      },
      texts: contents,
      tryOut: createTryOut(openTrial, audit),
    }),
  };
}
