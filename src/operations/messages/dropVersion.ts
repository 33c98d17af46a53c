import { createValidate, json, type tags } from "typia";
import { bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/projections/{name}/drop`. */
export interface DropVersionMessage {
  /** One that is kept, or the one under way, which is given up. */
  version: number & tags.Type<"int32"> & tags.Minimum<1>;
}

export const dropVersionMessage = bodyMessage(json.schema<DropVersionMessage>(), createValidate<DropVersionMessage>());
