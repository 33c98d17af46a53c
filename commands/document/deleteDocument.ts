import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleDeletion } from "./handleDeletion.js";

interface DeleteDocument {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/** Deletes a document; one that does not exist is deleted already (spec: States and transitions). */
export async function deleteDocument(
  { handler }: CommandServices,
  { datasource, documentId }: DeleteDocument,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const deleted = await handleDeletion(handler, context, live.value.datasource, documentId);
  return deleted.ok ? ok({ ...deleted.value, value: null }) : deleted;
}
