import { createValidate, json } from "typia";
import { bodyMessage } from "../validation/message.js";
import { groupNameIssues } from "./foldedNames.js";
import type { DatasourceReference, GroupName } from "./texts.js";

/** A group of people and groups. */
export interface GroupMessage {
  name: GroupName;
}

/** Body of `POST /groups`. */
export interface CreateGroupMessage {
  datasource: DatasourceReference;
  group: GroupMessage;
}

export const createGroupMessage = bodyMessage(
  json.schema<CreateGroupMessage>(),
  createValidate<CreateGroupMessage>(),
  ({ group }) => groupNameIssues(["body", "group", "name"], group.name),
);
