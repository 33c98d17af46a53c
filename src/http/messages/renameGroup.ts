import { createValidate, json } from "typia";
import { bodyMessage } from "../validation/message.js";
import { groupNameIssues } from "./foldedNames.js";
import type { GroupName } from "./texts.js";

/** Body of `PUT /groups/{datasource}/{group_name}`. */
export interface RenameGroupMessage {
  /** The new name. */
  group_name: GroupName;
}

export const renameGroupMessage = bodyMessage(
  json.schema<RenameGroupMessage>(),
  createValidate<RenameGroupMessage>(),
  ({ group_name: name }) => groupNameIssues(["body", "group_name"], name),
);
