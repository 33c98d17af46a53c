import { toDatasourceName, toEmail, toGroupName } from "../../shared/ids.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource } from "./descriptions.js";
import { createGroupMessage } from "../messages/createGroup.js";
import { doneAnswer } from "../messages/doneAnswer.js";
import { type GroupAnswer, groupAnswer } from "../messages/groupAnswer.js";
import { renameGroupMessage } from "../messages/renameGroup.js";
import {
  type MembersReplacedAnswer,
  membersReplacedAnswer,
  replaceMembersMessage,
} from "../messages/replaceMembers.js";
import { replaceMembers } from "../replaceMembers.js";
import { route } from "../route.js";

const toGroupAnswer = (datasource: string, name: string): GroupAnswer => ({
  status: "ok",
  datasource,
  group: { name },
});

const tag = "Groups";
const access = "serviceAccount";
const badName = "The name contains whitespace or starts with the reserved prefix.";

const createGroup = commandRoute({
  method: "POST",
  path: "/api/indexing/groups",
  access,
  body: jsonBody(createGroupMessage),
  toCommand: ({ body: { datasource, group } }) => ({
    datasource: toDatasourceName(datasource),
    name: toGroupName(group.name),
  }),
  run: (command, context, commands) => commands.createGroup(command, context),
  toAnswer: (_value, { datasource, name }) => toGroupAnswer(datasource, name),
  description: {
    tag,
    summary: "Create a group",
    example: { datasource: "handbook", group: { name: "staff" } },
    success: {
      description: "Created.",
      schema: groupAnswer,
      example: toGroupAnswer("handbook", "staff"),
    },
    failures: { 400: badName, 403: forbidden, 404: notFoundDatasource, 409: "The group exists on the datasource." },
  },
});

const renameGroup = commandRoute({
  method: "PUT",
  path: "/api/indexing/groups/{datasource}/{group_name}",
  access,
  params: [datasourceInPath, groupInPath],
  body: jsonBody(renameGroupMessage),
  toCommand: ({ params: { datasource, group_name }, body }) => ({
    datasource: toDatasourceName(datasource),
    name: toGroupName(group_name),
    newName: toGroupName(body.group_name),
  }),
  run: (command, context, commands) => commands.renameGroup(command, context),
  toAnswer: (_value, { datasource, newName }) => toGroupAnswer(datasource, newName),
  description: {
    tag,
    summary: "Rename a group",
    description: "Members stay. Documents keep naming the old name until they are indexed again.",
    example: { group_name: "employees" },
    success: {
      description: "Renamed.",
      schema: groupAnswer,
      example: toGroupAnswer("handbook", "employees"),
    },
    failures: {
      400: badName,
      403: forbidden,
      404: "The datasource or the group does not exist.",
      409: "Another group has the new name.",
    },
  },
});

const deleteGroup = commandRoute({
  method: "DELETE",
  path: "/api/indexing/groups/{datasource}/{group_name}",
  access,
  params: [datasourceInPath, groupInPath],
  toCommand: ({ params: { datasource, group_name } }) => ({
    datasource: toDatasourceName(datasource),
    name: toGroupName(group_name),
  }),
  run: (command, context, commands) => commands.deleteGroup(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Delete a group",
    description:
      "Nobody belongs to it any more, nor through it to another group. Documents keep naming it and grant nobody by it, until a group is created with, or renamed to, the same name: it begins without members.",
    success: { description: "Deleted.", schema: doneAnswer },
    failures: { 403: forbidden, 404: "The datasource or the group does not exist." },
  },
});

const replaceGroupMembers = route({
  method: "PUT",
  path: "/api/indexing/groups/{datasource}/{group_name}/members",
  access,
  params: [datasourceInPath, groupInPath],
  body: jsonBody(replaceMembersMessage),
  whyNotTried:
    "Replacing the users in a group cannot be tried: who is in it is known as of now, and not as of one moment of the log. GET /api/indexing/groups/{datasource}/{group_name}/members tells who that is; try the memberships that would be added and removed.",
  async handle(context, { params, body }) {
    const [datasource, group] = [toDatasourceName(params.datasource), toGroupName(params.group_name)];
    const members = [...new Set(body.members.map(({ member_email: email }) => toEmail(email)))];
    const { joined, left } = await replaceMembers(context, { datasource, group, members });
    context.body = { ...toGroupAnswer(datasource, group), joined, left } satisfies MembersReplacedAnswer;
  },
  description: {
    tag,
    summary: "Replace the users in a group",
    description:
      "Our own addition. From the answer on these users are the direct members, and nobody else: all at once, so that nobody ever sees a part of it. An empty list takes everybody out. Groups in the group stay; they are changed at `/memberships`. At most 10,000 users. Where nothing changes, nothing is written. Where the request is refused, nobody has joined or left.",
    example: { members: [{ member_email: "ada@example.org" }] },
    success: {
      description: "Replaced, or already as asked for.",
      schema: membersReplacedAnswer,
      example: { ...toGroupAnswer("handbook", "staff"), joined: 1, left: 0 },
      carriesToken: true,
    },
    failures: {
      403: forbidden,
      404: "The datasource, the group or one of the users does not exist.",
      413: "More users join and leave than the log takes at once: some 20,000 on EventStoreDB, fewer where emails are long. Replace them in parts.",
      503: "Who belongs to the group cannot be told at the moment, or others keep changing it. Nothing was written; see Retry-After.",
    },
  },
});

/** Groups of people and groups (spec: Users, groups, memberships). */
export const groupRoutes = [createGroup, renameGroup, deleteGroup, replaceGroupMembers];
