import { toDatasourceName, toEmail } from "../../shared/ids.js";
import { checkRegisterUser, checkRenameUser } from "../../validation/requestBodies.js";
import type { UserAnswer } from "../../validation/messages/principalMessages.js";
import type { Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import { settled } from "../settled.js";
import { datasourceInPath, emailInPath, forbidden, notFoundDatasource, schemaOf } from "./descriptions.js";

async function register(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const { datasource, user } = await request.body(checkRegisterUser);
  const command = {
    datasource: toDatasourceName(datasource),
    email: toEmail(user.email ?? ""),
    name: user.name ?? null,
  };
  const registered = await services.commands.registerUser(command, request.context);
  return settled(registered, services, () => toUserAnswer(datasource, command.email, command.name));
}

async function rename(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const datasource = request.datasourceParameter("datasource");
  const email = request.emailParameter("email");
  const { name } = await request.body(checkRenameUser);
  const renamed = await services.commands.renameUser({ datasource, email, name }, request.context);
  return settled(renamed, services, () => toUserAnswer(datasource, email, name));
}

const toUserAnswer = (datasource: string, email: string, name: string | null): UserAnswer => ({
  status: "ok",
  datasource,
  user: { email, name },
});

const tag = "Users";
const access = "serviceAccount";
const example = toUserAnswer("handbook", "ada@example.org", "Ada");

/** People who may search a datasource (spec: Users, groups, memberships). */
export const userRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/indexing/users",
    access,
    handle: register,
    description: {
      tag,
      summary: "Register a user on a datasource",
      description:
        "Only registered users see anything of a datasource, anonymous documents included. The email is the login email, stored trimmed and lower-cased.",
      body: {
        schemas: ["RegisterUserMessage"],
        example: { datasource: "handbook", user: { email: "ada@example.org", name: "Ada" } },
      },
      success: { description: "Registered.", schema: schemaOf("UserAnswer"), example, carriesToken: true },
      failures: {
        400: "`user.email` is missing or empty.",
        403: forbidden,
        404: notFoundDatasource,
        409: "The user exists on the datasource.",
      },
    },
  },
  {
    method: "PUT",
    path: "/api/indexing/users/{datasource}/{email}",
    access,
    handle: rename,
    description: {
      tag,
      summary: "Change a user's display name",
      parameters: [datasourceInPath, emailInPath],
      body: { schemas: ["RenameUserMessage"], example: { name: "Ada L." } },
      success: { description: "Changed.", schema: schemaOf("UserAnswer"), example, carriesToken: true },
      failures: { 400: "The email is empty.", 403: forbidden, 404: "The datasource or the user does not exist." },
    },
  },
];
