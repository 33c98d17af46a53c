import { createValidate, json } from "typia";
import { bodyMessage } from "../validation/message.js";
import type { PersonName } from "./texts.js";

/** Body of `PUT /users/{datasource}/{email}`. */
export interface RenameUserMessage {
  name: PersonName;
}

export const renameUserMessage = bodyMessage(json.schema<RenameUserMessage>(), createValidate<RenameUserMessage>());
