import type { CommandContext } from "../../commands/commands.js";
import { createCommands } from "../../commands/createCommands.js";
import { StreamTimelines } from "../../src/audit/timeline/streamTimelines.js";
import type { TriedOutcome, TriedRequest } from "../../src/audit/auditQueries.js";
import { OverlayEventLog, foldedGroupGraphs } from "../../src/audit/trial/openTrial.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { apiRoutes } from "../../src/wiring/features.js";
import { checkDocuments, readDocument, toDocumentsRequest } from "../../src/api/documentIntake.js";
import type { DocumentIntake } from "../../src/http/ports.js";
import { tryRequests } from "../../src/audit/whatIf/requests/createWhatIf.js";
import { toCredentialId } from "../../src/shared/ids.js";
import { beginning } from "../../src/shared/position.js";
import { recordedLog } from "./recordedLog.js";

const context: CommandContext = { by: toCredentialId("trial"), correlationId: "trial", allowedDatasources: null };

/**
 * The API over commands that append on top of these events, up to a position, in memory: its handlers and commands are
 * the real ones.
 */
export function trialOn(
  events: readonly RecordedEvent[],
  upTo = events.at(-1)?.position ?? beginning,
): {
  run(requests: readonly TriedRequest[]): Promise<readonly TriedOutcome[]>;
  appended(): readonly RecordedEvent[];
  events(): readonly DomainEvent[];
} {
  const log = recordedLog(events);
  const overlay = new OverlayEventLog(log, upTo);
  const intake: DocumentIntake = {
    read(body) {
      const checked = checkDocuments(body);
      if (!checked.ok) return Promise.resolve(checked);
      const { form, messages, mayBeUnstorable } = checked.value;
      const rules = { maxBinaryBytes: 1_000, mayBeUnstorable };
      return Promise.resolve(
        toDocumentsRequest(
          form,
          messages.map((message) => readDocument(message, rules)),
        ),
      );
    },
    readFile: () => Promise.reject(new Error("What is tried is small.")),
  };
  const preloadedState = foldedGroupGraphs(new StreamTimelines(log), overlay, upTo);
  const commands = createCommands({
    log: overlay,
    productName: "amber",
    now: () => new Date("2026-06-01T00:00:00Z"),
    preloadedState,
  });
  return {
    run: (requests) => tryRequests(requests, apiRoutes, { commands, intake }, context),
    appended: () => overlay.appended,
    events: () => overlay.appended.map(({ event }) => event),
  };
}
