import type { DocumentId, SyncRunId } from "../../src/shared/ids.js";
import { laterOf } from "../../src/shared/position.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { handleDeletion } from "../document/handleDeletion.js";
import type { CommandServices } from "../services.js";
import { findSyncRun } from "./findSyncRun.js";

interface DeleteUnseen {
  readonly syncRunId: SyncRunId;
  /** Documents of the run's datasource; those that must stay are passed over. */
  readonly candidates: readonly DocumentId[];
}

/**
 * Deletes those of the candidates that a committed run has not seen and that nobody has written to since it began; the
 * run is what caused it. Answers how many it deleted. What is left of a commit that was cut short is deleted by giving
 * the command again.
 */
export async function deleteUnseen(
  services: CommandServices,
  { syncRunId, candidates }: DeleteUnseen,
  context: CommandContext,
): CommandResult<number> {
  const found = await findSyncRun(services, { syncRunId }, context);
  if (!found.ok) return found;
  const { datasourceId, datasource: name, startedAt, seen, end } = found.value.value;
  if (end === null) return failed({ type: "SyncRunOpen", id: syncRunId });
  if (end !== "committed") return failed({ type: "SyncRunOver", id: syncRunId, because: end });
  let { position } = found.value;
  let count = 0;
  const unseen = candidates.filter((documentId) => !seen.has(documentId));
  const deletions = await Promise.all(
    unseen.map((documentId) =>
      handleDeletion(
        services.handler,
        { ...context, causationId: syncRunId },
        { datasourceId, name },
        documentId,
        startedAt,
      ),
    ),
  );
  for (const deleted of deletions) {
    if (!deleted.ok) return deleted;
    if (deleted.value.value) count++;
    if (deleted.value.position !== null)
      position = position === null ? deleted.value.position : laterOf(position, deleted.value.position);
  }
  return ok({ value: count, position });
}
