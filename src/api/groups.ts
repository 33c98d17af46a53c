import { createValidate, json, type tags } from "typia";
import { toDatasourceName, toEmail, toGroupName, type DatasourceName, type Email } from "../shared/ids.js";
import { jsonBody, listLimits } from "../http/body/jsonBody.js";
import { commandRoute } from "../http/commandRoute.js";
import { datasourceInPath, forbidden, groupInPath, notFoundDatasource } from "../http/pathParameters.js";
import { doneAnswer } from "../http/messages/errors.js";
import { route } from "../http/route.js";
import { bodyMessage, answerMessage } from "../http/validation/message.js";
import { groupNameIssues, emptyEmailIssues, type DatasourceReference, type GroupName } from "../http/messages/names.js";
import type { MaxCharacters } from "../http/validation/characters.js";
import { commandContextOf, type ApiContext } from "../http/apiContext.js";
import type { Position } from "../shared/position.js";
import { toRefusal, valueOf } from "../http/envelopes.js";
import { mayUse, requireDatasource } from "../http/authentication.js";
import { RefusedRequest } from "../http/refusedRequest.js";

/** A member, in the words in which lists tell of it. */
interface MemberMessage {
  member_email: string & tags.MinLength<1> & MaxCharacters<254>;
}

/** Body of `PUT /groups/{datasource}/{group_name}/members`. */
interface ReplaceMembersMessage {
  /** Users of the datasource; a user who is named twice counts once. */
  members: MemberMessage[] & tags.MaxItems<10000>;
}

const replaceMembersMessage = bodyMessage(
  json.schema<ReplaceMembersMessage>(),
  createValidate<ReplaceMembersMessage>(),
  ({ members }) =>
    members.flatMap(({ member_email: email }, index) =>
      emptyEmailIssues(["body", "members", index, "member_email"], email),
    ),
);

/** Answer of `PUT /groups/{datasource}/{group_name}/members`. */
interface MembersReplacedAnswer {
  status: "ok";
  datasource: string;
  group: { name: string };
  /** How many users are members now who were not. */
  joined: number;
  /** How many users are members no more. */
  left: number;
}

const membersReplacedAnswer = answerMessage(json.schema<MembersReplacedAnswer>());

/** Answer of the group routes. */
interface GroupAnswer {
  status: "ok";
  datasource: string;
  group: { name: string };
}

const groupAnswer = answerMessage(json.schema<GroupAnswer>());

/** Body of `PUT /groups/{datasource}/{group_name}`. */
interface RenameGroupMessage {
  /** The new name. */
  group_name: GroupName;
}

export const renameGroupMessage = bodyMessage(
  json.schema<RenameGroupMessage>(),
  createValidate<RenameGroupMessage>(),
  ({ group_name: name }) => groupNameIssues(["body", "group_name"], name),
);

/** A group of people and groups. */
interface GroupMessage {
  name: GroupName;
}

/** Body of `POST /groups`. */
interface CreateGroupMessage {
  datasource: DatasourceReference;
  group: GroupMessage;
}

export const createGroupMessage = bodyMessage(
  json.schema<CreateGroupMessage>(),
  createValidate<CreateGroupMessage>(),
  ({ group }) => groupNameIssues(["body", "group", "name"], group.name),
);

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
  body: jsonBody(replaceMembersMessage, listLimits),
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

interface MembersToBe {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly members: readonly Email[];
}

/** How many joined and left. */
interface Replaced {
  readonly joined: number;
  readonly left: number;
}

/** Only replacements by other processes make another attempt necessary. */
const mostAttempts = 50;

const longestWaitMs = 10_000;

/**
 * Looks up who belongs to the group, and gives the command that makes it these people; again where another process was
 * faster. Replacements of this process wait for each other, else all would look again whenever one of them is through.
 */
async function replaceMembers(context: ApiContext, asked: MembersToBe): Promise<Replaced> {
  const { replacements, waitUntilProjected } = context.services;
  const { datasource } = asked;
  await requireDatasource(context, datasource);
  const done = await replacements.takeWithin(datasource, longestWaitMs, () => repeat(context, asked));
  if (done === null)
    throw new RefusedRequest(toRefusal({ type: "TooMuchContention", stream: `groupMembers of ${datasource}` }));
  const { replaced, position } = done;
  if (position !== null) await waitUntilProjected(position);
  context.state.position = position;
  return replaced;
}

interface Done {
  readonly replaced: Replaced;
  readonly position: Position | null;
}

async function repeat(context: ApiContext, asked: MembersToBe): Promise<Done | null> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const done = await attempt(context, asked);
    if (done !== null) return done;
  }
  return null;
}

/** null: others were faster. */
async function attempt(context: ApiContext, { datasource, group, members }: MembersToBe): Promise<Done | null> {
  const { audit, commands } = context.services;
  const known = valueOf(await audit.groupMembers({ datasource, group, people: members }));
  const { datasourceId } = known;
  // The members are of the end of the log, and the catalogue, which was asked before, may not have come so far.
  if (!mayUse(context, { name: datasource, datasourceId }))
    throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource }));
  const { value, position } = valueOf(
    await commands.replaceGroupMembers({ datasource, group, members, known }, commandContextOf(context)),
  );
  return value.kind === "done" ? { replaced: value, position } : null;
}
