import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { servedClock } from "../audit/asOf/askedHistory.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import type { Config } from "../config.js";
import type { FollowedProjections } from "../daemon/followProjections.js";
import type { ProjectionErrorReport } from "../daemon/projectAndLog.js";
import type { ProcessRole } from "../daemon/processRole.js";
import { createVerifiedReadModels } from "../daemon/createVerifiedReadModels.js";
import { DatasourceNames } from "../operations/events/datasourceNames.js";
import { readEventPage } from "../operations/events/eventPage.js";
import { readEvents } from "../operations/events/readEvents.js";
import { createParkedEvents } from "../operations/parked/parkedEvents.js";
import { progressOf } from "../operations/status/progress.js";
import { ProjectionErrorLog, overviewOf, ProjectionStatuses } from "../operations/status/projectionStatuses.js";
import { createTryOut } from "../operations/undo/tryOut.js";
import { createUndo, readRangeOf } from "../operations/undo/createUndo.js";
import { createVerification } from "../operations/verify/createVerification.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { AskEventPage, EventSelection } from "../events/eventSelection.js";
import { disposeOnFailure } from "../shared/asyncDisposableStack.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import type { ReadModelRegistry } from "./readModels.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

interface OperatorParts {
  readonly writeSide: WriteSide;
  readonly readModels: ReadModelRegistry;
  readonly readSide: ReadSide;
  readonly followed: FollowedProjections;
  readonly role: ProcessRole;
  readonly audit: AuditQueries;
  readonly logger: Logger;
}

/** How long read models may take to come as far as the log, and a repair to be made. */
const patienceMs = { reach: 30_000, repair: 10 * 60_000 };

/**
 * Opens what operators use: where things stand, proving what is served, and taking back what should not have been
 * written.
 */
export const openOperatorSide = (config: Pick<Config, "namespace">, parts: OperatorParts) =>
  disposeOnFailure(async (opened) => {
    const { writeSide, readModels, readSide, followed, role, audit, logger } = parts;
    const { source, logUnit, streams, commands } = writeSide;
    const { feed } = followed;
    const errors = opened.adopt(new ProjectionErrorLog(await readModels.errors(), logger), (part) => part.close());
    const statuses = new ProjectionStatuses({
      ...{ readModels: readModels.all, source, logUnit, feed, role, errors },
      bulkRemovals: {
        readModel: readModels.permissionHistory,
        list: () => readSide.history.use(({ bulkRemovals }) => bulkRemovals()),
      },
    });
    const clock = servedClock(readSide.history);
    const datasourceNames = new DatasourceNames(source);
    const verified = createVerifiedReadModels({ readModel: readModels.named, served: readSide.readModels, feed });
    return {
      eventLog: {
        read: (selection: EventSelection, signal: AbortSignal) => readEvents(source, selection, signal),
        page: (asked: AskEventPage) =>
          readEventPage(asked, { log: source, positionAt: (time) => clock.positionAt(time) }),
        datasourceOf: (event: RecordedEvent) => datasourceNames.nameFor(event),
      },
      projections: overviewOf(statuses, followed),
      progress: () => progressOf({ source, served: readSide.readModels, statuses, role }),
      parked: createParkedEvents({ ...verified, patienceMs }),
      verification: createVerification({
        ...{ ...verified, log: source, tokens: new PrincipalTokens(config.namespace), patienceMs },
        rest: () => nextTurn(),
      }),
      undo: createUndo({
        ...{ commands, log: { ...streams, readRange: readRangeOf(source) }, texts: writeSide.texts },
        tryOut: createTryOut(writeSide.openTrial, audit),
      }),
      /** To be told why a projection could not go on. */
      onProjectionError: (report: ProjectionErrorReport) => errors.note(report),
      close: () => opened.disposeAsync(),
    };
  });
