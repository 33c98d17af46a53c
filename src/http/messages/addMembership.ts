import { createValidate, json, type tags } from "typia";
import { valueError } from "../validation/issue.js";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import { bodyMessage } from "../validation/message.js";
import type { DatasourceReference, GroupName } from "./texts.js";
import { emptyEmailIssues } from "./foldedNames.js";

/** Exactly one of `member_email` and `member_group_name`. */
export interface MembershipMessage {
  group_name: GroupName;
  member_email?: (string & tags.MinLength<1> & MaxCharacters<254>) | null;
  member_group_name?: GroupName | null;
}

/** Body of `POST /memberships`. */
export interface AddMembershipMessage {
  datasource: DatasourceReference;
  membership: MembershipMessage;
}

export const addMembershipMessage = bodyMessage(
  json.schema<AddMembershipMessage>(),
  createValidate<AddMembershipMessage>(),
  ({ membership }) => {
    const given = [membership.member_email, membership.member_group_name].filter(
      (member) => member !== undefined && member !== null,
    );
    if (given.length === 1)
      return typeof membership.member_email === "string"
        ? emptyEmailIssues(["body", "membership", "member_email"], membership.member_email)
        : [];
    return [valueError(["body", "membership"], "exactly one of member_email and member_group_name must be given")];
  },
);
