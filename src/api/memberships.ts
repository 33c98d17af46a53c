import { createValidate, json, type tags } from "typia";
import type { MemberReference } from "../../commands/commands.js";
import { toDatasourceName, toEmail, toGroupName } from "../shared/ids.js";
import { textIssue, textRules } from "../http/validation/parameters.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { commandRoute } from "../http/commandRoute.js";
import { invalidRequest, refusal } from "../http/envelopes.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import type { PathParameter } from "../http/route.js";
import { datasourceInPath, forbidden, groupInPath, unchecked } from "../http/pathParameters.js";
import { doneAnswer } from "../http/messages/errors.js";
import { valueError } from "../http/validation/issue.js";
import type { MaxCharacters } from "../http/validation/characters.js";
import { bodyMessage, answerMessage } from "../http/validation/message.js";
import { type DatasourceReference, type GroupName, emptyEmailIssues } from "../http/messages/names.js";

/** Answer of `POST /memberships`. */
interface MembershipAnswer {
  status: "ok";
  datasource: string;
  membership: { group_name: string; member_email?: string; member_group_name?: string };
}

const membershipAnswer = answerMessage(json.schema<MembershipAnswer>());

/** Exactly one of `member_email` and `member_group_name`. */
interface MembershipMessage {
  group_name: GroupName;
  member_email?: (string & tags.MinLength<1> & MaxCharacters<254>) | null;
  member_group_name?: GroupName | null;
}

/** Body of `POST /memberships`. */
interface AddMembershipMessage {
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

/** Exactly one of the two is there: checked with the body. */
const memberOf = ({ member_email: email, member_group_name: name }: MembershipMessage): MemberReference =>
  typeof email === "string"
    ? { kind: "user", email: toEmail(email) }
    : { kind: "group", name: toGroupName(name ?? "") };

function memberInPath(kind: MemberReference["kind"], id: string): MemberReference {
  const issue = textIssue(["path", "member_id"], id, kind === "user" ? textRules.email : textRules.groupName);
  if (issue !== null) throw new RefusedRequest(invalidRequest([issue]));
  return kind === "user" ? { kind, email: toEmail(id) } : { kind, name: toGroupName(id) };
}

const toMembershipAnswer = (datasource: string, group: string, member: MemberReference): MembershipAnswer => ({
  status: "ok",
  datasource,
  membership: {
    group_name: group,
    ...(member.kind === "user" ? { member_email: member.email } : { member_group_name: member.name }),
  },
});

const tag = "Memberships";
const access = "serviceAccount";

const addMembership = commandRoute({
  method: "POST",
  path: "/api/indexing/memberships",
  access,
  body: jsonBody(addMembershipMessage),
  toCommand: ({ body: { datasource, membership } }) => ({
    datasource: toDatasourceName(datasource),
    group: toGroupName(membership.group_name),
    member: memberOf(membership),
  }),
  run: (command, context, commands) => commands.addMembership(command, context),
  toAnswer: (_value, { datasource, group, member }) => toMembershipAnswer(datasource, group, member),
  description: {
    tag,
    summary: "Add a user or a group to a group",
    example: { datasource: "handbook", membership: { group_name: "staff", member_email: "ada@example.org" } },
    success: {
      description: "Added.",
      schema: membershipAnswer,
      example: toMembershipAnswer("handbook", "staff", { kind: "user", email: toEmail("ada@example.org") }),
    },
    failures: {
      403: forbidden,
      404: "The datasource, the group, the user or the nested group does not exist.",
      409: "The membership exists, or a nested group would close a cycle; the message lists the path.",
    },
  },
});

const memberTypes = ["user", "group"];
const memberTypeInPath: PathParameter = {
  ...unchecked("member_type", "Anything else is 400.", { enum: memberTypes }),
  refusalOf: (type) => (memberTypes.includes(type) ? null : refusal(400, "member_type must be user or group.")),
};

const removeMembership = commandRoute({
  method: "DELETE",
  path: "/api/indexing/memberships/{datasource}/{group_name}/{member_type}/{member_id}",
  access,
  params: [
    datasourceInPath,
    groupInPath,
    memberTypeInPath,
    unchecked("member_id", "The user's email, or the nested group's name; percent-encoded.", textRules.email),
  ],
  toCommand: ({ params: { datasource, group_name, member_type, member_id } }) => ({
    datasource: toDatasourceName(datasource),
    group: toGroupName(group_name),
    member: memberInPath(member_type as MemberReference["kind"], member_id),
  }),
  run: (command, context, commands) => commands.removeMembership(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Remove a user or a group from a group",
    success: { description: "Removed.", schema: doneAnswer },
    failures: {
      400: "`member_type` is neither `user` nor `group`.",
      403: forbidden,
      404: "The datasource, the group, the member or the membership does not exist.",
    },
  },
});

/** The routes of memberships (spec: Users, groups, memberships). */
export const membershipRoutes = [addMembership, removeMembership];
