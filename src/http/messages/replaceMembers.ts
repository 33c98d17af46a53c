import { createValidate, json, type tags } from "typia";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../validation/message.js";
import { emptyEmailIssues } from "./foldedNames.js";

/** A member, in the words in which lists tell of it. */
export interface MemberMessage {
  member_email: string & tags.MinLength<1> & MaxCharacters<254>;
}

/** Body of `PUT /groups/{datasource}/{group_name}/members`. */
export interface ReplaceMembersMessage {
  /** Users of the datasource; whoever is named twice counts once. */
  members: MemberMessage[] & tags.MaxItems<10000>;
}

export const replaceMembersMessage = bodyMessage(
  json.schema<ReplaceMembersMessage>(),
  createValidate<ReplaceMembersMessage>(),
  ({ members }) =>
    members.flatMap(({ member_email: email }, index) =>
      emptyEmailIssues(["body", "members", index, "member_email"], email),
    ),
);

/** Answer of `PUT /groups/{datasource}/{group_name}/members`. */
export interface MembersReplacedAnswer {
  status: "ok";
  datasource: string;
  group: { name: string };
  /** How many users are members now who were not. */
  joined: number;
  /** How many users are members no more. */
  left: number;
}

export const membersReplacedAnswer = answerMessage(json.schema<MembersReplacedAnswer>());
