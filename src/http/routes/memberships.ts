import type { MemberReference } from "../../../commands/commands.js";
import { toDatasourceName, toEmail } from "../../shared/ids.js";
import { textRules } from "../../validation/parameters.js";
import { checkAddMembership } from "../../validation/requestBodies.js";
import type { MembershipAnswer, MembershipMessage } from "../../validation/messages/principalMessages.js";
import { RefusedRequest, type Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import { errorAnswer } from "../envelopes.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import { settled } from "../settled.js";
import { datasourceInPath, forbidden, groupInPath, schemaOf } from "./descriptions.js";

async function add(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const { datasource, membership } = await request.body(checkAddMembership);
  const member = memberOf(membership);
  const added = await services.commands.addMembership(
    { datasource: toDatasourceName(datasource), group: membership.group_name, member },
    request.context,
  );
  return settled(added, services, () => toMembershipAnswer(datasource, membership.group_name, member));
}

async function remove(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const datasource = request.datasourceParameter("datasource");
  const group = request.groupParameter("group_name");
  const member = memberInPath(request);
  const removed = await services.commands.removeMembership({ datasource, group, member }, request.context);
  return settled(removed, services, () => ({ status: "ok" }));
}

/** Exactly one of the two is there: checked with the body. */
const memberOf = ({ member_email: email, member_group_name: name }: MembershipMessage): MemberReference =>
  typeof email === "string" ? { kind: "user", email: toEmail(email) } : { kind: "group", name: name ?? "" };

function memberInPath(request: ApiRequest): MemberReference {
  const kind = request.parameter("member_type");
  if (kind === "user") return { kind, email: request.emailParameter("member_id") };
  if (kind === "group") return { kind, name: request.groupParameter("member_id") };
  throw new RefusedRequest(errorAnswer(400, "member_type must be user or group."));
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

/** Who belongs to which group (spec: Users, groups, memberships). */
export const membershipRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/indexing/memberships",
    access,
    handle: add,
    description: {
      tag,
      summary: "Add a user or a group to a group",
      body: {
        schemas: ["AddMembershipMessage"],
        example: { datasource: "handbook", membership: { group_name: "staff", member_email: "ada@example.org" } },
      },
      success: {
        description: "Added.",
        schema: schemaOf("MembershipAnswer"),
        example: toMembershipAnswer("handbook", "staff", { kind: "user", email: toEmail("ada@example.org") }),
        carriesToken: true,
      },
      failures: {
        403: forbidden,
        404: "The datasource, the group, the user or the nested group does not exist.",
        409: "The membership exists, or a nested group would close a cycle; the message lists the path.",
      },
    },
  },
  {
    method: "DELETE",
    path: "/api/indexing/memberships/{datasource}/{group_name}/{member_type}/{member_id}",
    access,
    handle: remove,
    description: {
      tag,
      summary: "Remove a user or a group from a group",
      parameters: [
        datasourceInPath,
        groupInPath,
        {
          name: "member_type",
          in: "path",
          required: true,
          description: "Anything else is 400.",
          schema: { type: "string", enum: ["user", "group"] },
        },
        {
          name: "member_id",
          in: "path",
          required: true,
          description: "The user's email, or the nested group's name; percent-encoded.",
          schema: { type: "string", ...textRules.email },
        },
      ],
      success: { description: "Removed.", schema: schemaOf("DoneAnswer"), carriesToken: true },
      failures: {
        400: "`member_type` is neither `user` nor `group`.",
        403: forbidden,
        404: "The datasource, the group, the member or the membership does not exist.",
      },
    },
  },
];
