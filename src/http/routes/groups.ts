import { toDatasourceName, toGroupName } from "../../shared/ids.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource } from "./descriptions.js";
import { createGroupMessage } from "../messages/createGroup.js";
import { doneAnswer } from "../messages/doneAnswer.js";
import { type GroupAnswer, groupAnswer } from "../messages/groupAnswer.js";
import { renameGroupMessage } from "../messages/renameGroup.js";

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

/** Groups of people and groups (spec: Users, groups, memberships). */
export const groupRoutes = [createGroup, renameGroup, deleteGroup];
