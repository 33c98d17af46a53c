import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleIndexing } from "./handleIndexing.js";
import type { IndexDocument, IndexedDocument } from "./indexing.js";
import { withdrawIfClosed } from "./withdrawIfClosed.js";

/** Indexes a single document: what is wrong with it is a rejection (spec: POST /documents). */
export async function indexDocument(
  services: CommandServices,
  document: IndexDocument,
  context: CommandContext,
): CommandResult<IndexedDocument> {
  const { handler } = services;
  const live = await findLiveDatasource(handler, context, document.datasource);
  if (!live.ok) return live;
  const { datasource } = live.value;
  const indexed = await handleIndexing(services, context, datasource, document);
  if (!indexed.ok) return indexed;
  const { value, position } = indexed.value;
  if (value.outcome === "sent" && (await withdrawIfClosed(handler, context, datasource, [document.documentId]))) {
    return failed({ type: "DatasourceNotFound", datasource: document.datasource });
  }
  return ok({ value, position });
}
