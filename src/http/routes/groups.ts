import { toDatasourceName } from "../../shared/ids.js";
import { checkCreateGroup, checkRenameGroup } from "../../validation/requestBodies.js";
import type { GroupAnswer } from "../../validation/messages/principalMessages.js";
import type { Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import { settled } from "../settled.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource, schemaOf } from "./descriptions.js";

async function create(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const { datasource, group } = await request.body(checkCreateGroup);
  const created = await services.commands.createGroup(
    { datasource: toDatasourceName(datasource), name: group.name },
    request.context,
  );
  return settled(created, services, () => toGroupAnswer(datasource, group.name));
}

async function rename(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const datasource = request.datasourceParameter("datasource");
  const name = request.groupParameter("group_name");
  const { group_name: newName } = await request.body(checkRenameGroup);
  const renamed = await services.commands.renameGroup({ datasource, name, newName }, request.context);
  return settled(renamed, services, () => toGroupAnswer(datasource, newName));
}

const toGroupAnswer = (datasource: string, name: string): GroupAnswer => ({
  status: "ok",
  datasource,
  group: { name },
});

const tag = "Groups";
const access = "serviceAccount";
const badName = "The name contains whitespace or starts with the reserved prefix.";

/** Groups of people and groups (spec: Users, groups, memberships). */
export const groupRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/indexing/groups",
    access,
    handle: create,
    description: {
      tag,
      summary: "Create a group",
      body: { schemas: ["CreateGroupMessage"], example: { datasource: "handbook", group: { name: "staff" } } },
      success: {
        description: "Created.",
        schema: schemaOf("GroupAnswer"),
        example: toGroupAnswer("handbook", "staff"),
        carriesToken: true,
      },
      failures: { 400: badName, 403: forbidden, 404: notFoundDatasource, 409: "The group exists on the datasource." },
    },
  },
  {
    method: "PUT",
    path: "/api/indexing/groups/{datasource}/{group_name}",
    access,
    handle: rename,
    description: {
      tag,
      summary: "Rename a group",
      description: "Members stay. Documents keep naming the old name until they are indexed again.",
      parameters: [datasourceInPath, groupInPath],
      body: { schemas: ["RenameGroupMessage"], example: { group_name: "employees" } },
      success: {
        description: "Renamed.",
        schema: schemaOf("GroupAnswer"),
        example: toGroupAnswer("handbook", "employees"),
        carriesToken: true,
      },
      failures: {
        400: badName,
        403: forbidden,
        404: "The datasource or the group does not exist.",
        409: "Another group has the new name.",
      },
    },
  },
];
