import { createValidate, json, type tags } from "typia";
import { bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/projections/{name}/rebuild`. */
export interface RebuildMessage {
  /** Compare everything that the log ever named before the swap, and not only a part by chance. Default: false. */
  verify?: boolean | null;
  /** How many versions that were served before are kept. Default: 1. */
  keep?: (number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<100>) | null;
  /** Serve the new version whatever the comparison finds. Default: false. */
  accept?: boolean | null;
}

export const rebuildMessage = bodyMessage(json.schema<RebuildMessage>(), createValidate<RebuildMessage>());
