import type { Datasource } from "../../src/events/datasource.js";
import { documentStream } from "../../src/events/streams.js";
import type { DocumentId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, documentAggregate } from "./decider.js";

/** One registration of a datasource name. */
export type Incarnation = Pick<Datasource, "datasourceId" | "name">;

/** Deletes one document of a datasource incarnation; no event where there is none. */
export function handleDeletion(
  handler: CommandHandler,
  context: CommandContext,
  incarnation: Incarnation,
  documentId: DocumentId,
): CommandResult<null> {
  const { datasourceId, name: datasource } = incarnation;
  return handler.handle({
    aggregate: documentAggregate,
    stream: documentStream(datasourceId, documentId),
    context,
    decide: (state) => replyWith(decide({ type: "DeleteDocument", datasourceId, datasource, documentId }, state), null),
  });
}
