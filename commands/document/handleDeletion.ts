import type { Datasource } from "../../src/events/datasource.js";
import { documentStream } from "../../src/events/streams.js";
import type { DocumentId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, documentAggregate } from "./decider.js";

/** One registration of a datasource name. */
export type Incarnation = Pick<Datasource, "datasourceId" | "name">;

/**
 * Deletes one document of a datasource incarnation; no event where there is none, or where it was written after
 * `unlessAfter`. True where it was deleted.
 */
export function handleDeletion(
  handler: CommandHandler,
  context: CommandContext,
  incarnation: Incarnation,
  documentId: DocumentId,
  unlessAfter: Position | null = null,
): CommandResult<boolean> {
  const { datasourceId, name: datasource } = incarnation;
  return handler.handle({
    aggregate: documentAggregate,
    stream: documentStream(datasourceId, documentId),
    context,
    decide(state, position) {
      if (unlessAfter !== null && position !== null && position > unlessAfter) return ok({ events: [], value: false });
      const decision = decide({ type: "DeleteDocument", datasourceId, datasource, documentId }, state);
      return replyWith(decision, decision.ok && decision.value.length > 0);
    },
  });
}
