import { createValidate, json } from "typia";
import { toDatasourceName, toEmail } from "../shared/ids.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { commandRoute } from "../http/commandRoute.js";
import { datasourceInPath, emailInPath, forbidden, notFoundDatasource } from "../http/pathParameters.js";
import { doneAnswer } from "../http/messages/errors.js";
import type { MaxCharacters } from "../http/validation/characters.js";
import { bodyMessage, answerMessage } from "../http/validation/message.js";
import { emailIssues, type DatasourceReference, type PersonName } from "../http/messages/names.js";

/** Answer of the user routes. */
interface UserAnswer {
  status: "ok";
  datasource: string;
  user: { email: string; name: string | null };
}

const userAnswer = answerMessage(json.schema<UserAnswer>());

/** Body of `PUT /users/{datasource}/{email}`. */
interface RenameUserMessage {
  name: PersonName;
}

export const renameUserMessage = bodyMessage(json.schema<RenameUserMessage>(), createValidate<RenameUserMessage>());

/** A person who may search the datasource. */
interface UserMessage {
  /** The login email. Missing, empty or blank is 400. */
  email?: (string & MaxCharacters<254>) | null;
  /** For display alone. */
  name?: PersonName | null;
}

/** Body of `POST /users`. */
interface RegisterUserMessage {
  datasource: DatasourceReference;
  user: UserMessage;
}

export const registerUserMessage = bodyMessage(
  json.schema<RegisterUserMessage>(),
  createValidate<RegisterUserMessage>(),
  ({ user }) => emailIssues(["body", "user", "email"], user.email ?? ""),
);

const toUserAnswer = (datasource: string, email: string, name: string | null): UserAnswer => ({
  status: "ok",
  datasource,
  user: { email, name },
});

const tag = "Users";
const access = "serviceAccount";
const example = toUserAnswer("handbook", "ada@example.org", "Ada");

const registerUser = commandRoute({
  method: "POST",
  path: "/api/indexing/users",
  access,
  body: jsonBody(registerUserMessage),
  toCommand: ({ body: { datasource, user } }) => ({
    datasource: toDatasourceName(datasource),
    email: toEmail(user.email ?? ""),
    name: user.name ?? null,
  }),
  run: (command, context, commands) => commands.registerUser(command, context),
  toAnswer: (_value, { datasource, email, name }) => toUserAnswer(datasource, email, name),
  description: {
    tag,
    summary: "Register a user on a datasource",
    description:
      "Only registered users see anything of a datasource, anonymous documents included. The email is the login email, stored trimmed and lower-cased.",
    example: { datasource: "handbook", user: { email: "ada@example.org", name: "Ada" } },
    success: { description: "Registered.", schema: userAnswer, example },
    failures: {
      400: "`user.email` is missing or empty.",
      403: forbidden,
      404: notFoundDatasource,
      409: "The user exists on the datasource.",
    },
  },
});

const renameUser = commandRoute({
  method: "PUT",
  path: "/api/indexing/users/{datasource}/{email}",
  access,
  params: [datasourceInPath, emailInPath],
  body: jsonBody(renameUserMessage),
  toCommand: ({ params: { datasource, email }, body: { name } }) => ({
    datasource: toDatasourceName(datasource),
    email: toEmail(email),
    name,
  }),
  run: (command, context, commands) => commands.renameUser(command, context),
  toAnswer: (_value, { datasource, email, name }) => toUserAnswer(datasource, email, name),
  description: {
    tag,
    summary: "Change a user's display name",
    example: { name: "Ada L." },
    success: { description: "Changed.", schema: userAnswer, example },
    failures: { 400: "The email is empty.", 403: forbidden, 404: "The datasource or the user does not exist." },
  },
});

const deleteUser = commandRoute({
  method: "DELETE",
  path: "/api/indexing/users/{datasource}/{email}",
  access,
  params: [datasourceInPath, emailInPath],
  toCommand: ({ params: { datasource, email } }) => ({
    datasource: toDatasourceName(datasource),
    email: toEmail(email),
  }),
  run: (command, context, commands) => commands.deleteUser(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Delete a user from a datasource",
    description:
      "Ends the registration and every membership on the datasource: the person sees none of its documents any more. Documents keep naming the email. If it is registered again, what they grant to it counts again; memberships do not come back.",
    success: { description: "Deleted.", schema: doneAnswer },
    failures: { 400: "The email is empty.", 403: forbidden, 404: "The datasource or the user does not exist." },
  },
});

/** People who may search a datasource (spec: Users, groups, memberships). */
export const userRoutes = [registerUser, renameUser, deleteUser];
