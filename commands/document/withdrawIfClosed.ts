import { datasourceStream } from "../../src/events/streams.js";
import type { DocumentId } from "../../src/shared/ids.js";
import type { CommandContext } from "../command.js";
import { datasourceAggregate } from "../datasource/decider.js";
import type { CommandHandler } from "../handleCommand.js";
import { handleDeletion, type Incarnation } from "./handleDeletion.js";

/**
 * A datasource and its documents are different streams, so a document can be written just after its datasource's
 * incarnation was closed. Then it is deleted again, so that its text does not outlive the incarnation. True where that
 * happened: to the client, there was no such datasource.
 */
export async function withdrawIfClosed(
  handler: CommandHandler,
  context: CommandContext,
  incarnation: Incarnation,
  written: readonly DocumentId[],
): Promise<boolean> {
  const { state } = await handler.read(datasourceAggregate, datasourceStream(incarnation.name));
  if (state?.datasourceId === incarnation.datasourceId) return false;
  await Promise.all(written.map((documentId) => handleDeletion(handler, context, incarnation, documentId)));
  return true;
}
