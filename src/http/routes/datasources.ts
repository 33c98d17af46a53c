import { Readable } from "node:stream";
import type { SubDeclaration } from "../../../commands/commands.js";
import type { ObjectDefinition } from "../../events/datasource.js";
import { toDatasourceName } from "../../shared/ids.js";
import { failed, ok } from "../../shared/result.js";
import { extraForbidden, patternMismatch } from "../validation/issue.js";
import { textIssue, textRules } from "../validation/parameters.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { invalidRequest, valueOf } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import { mayUse, requireDatasource } from "../middleware/authentication.js";
import { toDatasourceAnswer, toSubAnswer } from "../representations.js";
import { jsonOfList } from "../streamedJson.js";
import { listOf } from "../validation/message.js";
import { route, type QueryParameters } from "../route.js";
import { datasourceNameInPath, forbidden, notFoundDatasource, notYetConsistent, subKeyInPath } from "./descriptions.js";
import { type SubMessage, addSubMessage } from "../messages/addSub.js";
import { datasourceAnswer } from "../messages/datasourceAnswer.js";
import { doneAnswer } from "../messages/doneAnswer.js";
import type { ObjectDefinitionMessage } from "../messages/objectDefinitions.js";
import { registerDatasourceMessage } from "../messages/registerDatasource.js";
import { subAnswer } from "../messages/subAnswer.js";
import { updateDatasourceMessage } from "../messages/updateDatasource.js";

const example = {
  name: "handbook",
  display_name: "Company handbook",
  subs: [{ name: "Human Resources", subs: [{ name: "Travel" }] }],
  object_definitions: [
    {
      name: "chapter",
      property_definitions: [{ name: "owner", display_label: "Owner", is_searchable: true, property_type: "TEXT" }],
    },
  ],
  default_access: "nobody",
};

const exampleAnswer = {
  ...example,
  icon_base64: null,
  subs: [
    {
      name: "Human Resources",
      key: "human_resources",
      parent_key: null,
      subs: [{ name: "Travel", key: "travel", parent_key: "human_resources", subs: [] }],
    },
  ],
};

const toDeclaration = ({ name, key, parent_key, subs }: SubMessage): SubDeclaration => ({
  name,
  key: key ?? null,
  parentKey: parent_key ?? null,
  subs: (subs ?? []).map(toDeclaration),
});

const toObjectDefinitions = (messages: readonly ObjectDefinitionMessage[]): readonly ObjectDefinition[] =>
  messages.map(({ name, property_definitions: properties }) => ({
    name: name ?? "default",
    propertyDefinitions: (properties ?? []).map((property) => ({
      name: property.name,
      displayLabel: property.display_label ?? property.name,
      isSearchable: property.is_searchable ?? false,
      propertyType: property.property_type,
    })),
  }));

const tag = "Datasources";
const access = "serviceAccount";
const answer = { schema: datasourceAnswer, example: exampleAnswer };
const done = { schema: doneAnswer };

const registerDatasource = commandRoute({
  method: "POST",
  path: "/api/indexing/datasources",
  access,
  body: jsonBody(registerDatasourceMessage),
  toCommand: ({ body }) => ({
    name: toDatasourceName(body.name),
    displayName: body.display_name ?? null,
    icon: body.icon_base64 ?? null,
    subs: (body.subs ?? []).map(toDeclaration),
    objectDefinitions: toObjectDefinitions(body.object_definitions ?? []),
    ...(typeof body.default_access === "string" && { defaultAccess: body.default_access }),
  }),
  run: (command, context, commands) => commands.registerDatasource(command, context),
  toAnswer: toDatasourceAnswer,
  description: {
    tag,
    summary: "Register a datasource",
    description: "One call declares subs and property schemas. Subs are nested, or flat with `parent_key`.",
    example,
    success: { ...answer, description: "The datasource as it was registered." },
    failures: {
      403: forbidden,
      404: "The parent of a sub does not exist.",
      409: "A datasource with this name exists, or a sub key stands twice under one parent.",
    },
  },
});

const listDatasources = route({
  method: "GET",
  path: "/api/indexing/datasources",
  access,
  isConsistent: true,
  async handle(context) {
    const { queries } = context.services;
    const datasources = valueOf(await queries.listDatasources({ atLeast: context.state.atLeast }));
    const own = datasources.filter((datasource) => mayUse(context, datasource));
    context.type = "json";
    // Each may have an icon of 256 KiB.
    context.body = Readable.from(jsonOfList(own, toDatasourceAnswer), { highWaterMark: 1 });
  },
  description: {
    tag,
    summary: "List datasources",
    description: "By name; a limited service account gets those it is made for.",
    success: {
      description: "The datasources.",
      schema: listOf(datasourceAnswer),
      example: [exampleAnswer],
    },
    failures: { 503: notYetConsistent },
  },
});

const findDatasource = route({
  method: "GET",
  path: "/api/indexing/datasources/{name}",
  access,
  params: [datasourceNameInPath],
  isConsistent: true,
  async handle(context, { params }) {
    const name = toDatasourceName(params.name);
    await requireDatasource(context, name);
    const { queries } = context.services;
    context.body = toDatasourceAnswer(valueOf(await queries.findDatasource({ name, atLeast: context.state.atLeast })));
  },
  description: {
    tag,
    summary: "Read a datasource",
    success: { ...answer, description: "The datasource with its full sub tree." },
    failures: { 403: forbidden, 404: notFoundDatasource, 503: notYetConsistent },
  },
});

const updateDatasource = commandRoute({
  method: "PUT",
  path: "/api/indexing/datasources/{name}",
  access,
  params: [datasourceNameInPath],
  body: jsonBody(updateDatasourceMessage),
  toCommand: ({ params, body }) => {
    const { display_name: displayName, icon_base64: icon, object_definitions: definitions, default_access } = body;
    if (typeof body.name === "string" && body.name !== params.name)
      throw new RefusedRequest(invalidRequest([extraForbidden(["body", "name"], "name cannot be changed")]));
    return {
      name: toDatasourceName(params.name),
      ...(typeof displayName === "string" ? { displayName } : {}),
      ...(icon === undefined ? {} : { icon }),
      ...(body.subs === undefined || body.subs === null ? {} : { unchangedSubs: body.subs.map(toDeclaration) }),
      ...(definitions === undefined || definitions === null
        ? {}
        : { objectDefinitions: toObjectDefinitions(definitions) }),
      ...(typeof default_access === "string" && { defaultAccess: default_access }),
    };
  },
  run: (command, context, commands) => commands.updateDatasource(command, context),
  toAnswer: toDatasourceAnswer,
  description: {
    tag,
    summary: "Change a datasource",
    description:
      "Only `display_name`, `icon_base64`, `object_definitions` and `default_access` can change; what is left out stays. `name` and `subs` are taken where they are equal to what is, so that what `GET` answered can be sent back. Documents that are indexed already keep the access that was decided when they were pushed; pushed again without `permissions`, they follow the new `default_access`, also with an unchanged `last_modified`.",
    example: { display_name: "Handbook" },
    success: { ...answer, description: "The datasource as it is now." },
    failures: { 403: forbidden, 404: notFoundDatasource },
  },
});

const deleteDatasource = commandRoute({
  method: "DELETE",
  path: "/api/indexing/datasources/{name}",
  access,
  params: [datasourceNameInPath],
  toCommand: ({ params }) => ({ name: toDatasourceName(params.name) }),
  run: (command, context, commands) => commands.deleteDatasource(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Delete a datasource",
    description: "With its subs, users, groups, memberships and documents. Irreversible.",
    success: { ...done, description: "It is gone." },
    failures: { 403: forbidden, 404: notFoundDatasource },
  },
});

const addSub = commandRoute({
  method: "POST",
  path: "/api/indexing/datasources/{name}/subs",
  access,
  params: [datasourceNameInPath],
  body: jsonBody(addSubMessage),
  toCommand: ({ params, body }) => ({ datasource: toDatasourceName(params.name), sub: toDeclaration(body) }),
  run: (command, context, commands) => commands.addSub(command, context),
  toAnswer: (added) => toSubAnswer(added, added.parentKey),
  description: {
    tag,
    summary: "Add a sub",
    example: { name: "Payroll", parent_key: "human_resources" },
    success: {
      description: "The added sub, with those that were declared in it.",
      schema: subAnswer,
      example: toSubAnswer({ name: "Payroll", key: "payroll" }, "human_resources"),
    },
    failures: {
      403: forbidden,
      404: "The datasource or the parent does not exist.",
      409: "The key exists under the same parent.",
    },
  },
});

/** Which child is meant; null: not given. */
const parentKeyInQuery: QueryParameters<string | null> = {
  parameters: [
    {
      name: "parent_key",
      in: "query",
      description: "Says which child is meant where the key stands under several parents.",
      schema: { type: "string", ...textRules.slug },
    },
  ],
  check: (parameters) => {
    const parentKey = parameters.get("parent_key")?.at(-1) ?? null;
    return parentKey === null || textIssue(["query", "parent_key"], parentKey, textRules.slug) === null
      ? ok(parentKey)
      : failed([patternMismatch(["query", "parent_key"], textRules.slug.pattern)]);
  },
};

const removeSub = commandRoute({
  method: "DELETE",
  path: "/api/indexing/datasources/{name}/subs/{sub_key}",
  access,
  params: [datasourceNameInPath, subKeyInPath],
  query: parentKeyInQuery,
  toCommand: ({ params, query: parentKey }) => ({
    datasource: toDatasourceName(params.name),
    key: params.sub_key,
    parentKey,
  }),
  run: (command, context, commands) => commands.removeSub(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Remove a sub and its children",
    description: "Documents stay; they lose their sub until they are indexed again.",
    success: { ...done, description: "It is gone." },
    failures: {
      403: forbidden,
      404: "The datasource or the sub does not exist.",
      409: "The key stands under several parents; send `parent_key`.",
    },
  },
});

/** The datasources and their subs (spec: Datasources). */
export const datasourceRoutes = [
  registerDatasource,
  listDatasources,
  findDatasource,
  updateDatasource,
  deleteDatasource,
  addSub,
  removeSub,
];
