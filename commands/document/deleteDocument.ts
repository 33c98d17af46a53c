import { ok } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandServices } from "../services.js";
import { handleDeletion } from "./handleDeletion.js";

/** Deletes a document; one that does not exist is deleted already (spec: States and transitions). */
export const createDeleteDocument =
  ({ handler }: CommandServices): Commands["deleteDocument"] =>
  async ({ datasource, documentId }, context) => {
    const live = await findLiveDatasource(handler, context, datasource);
    if (!live.ok) return live;
    const deleted = await handleDeletion(handler, context, live.value.datasource, documentId);
    return deleted.ok ? ok({ value: null, position: deleted.value.position ?? live.value.position }) : deleted;
  };
