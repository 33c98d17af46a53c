import type { SubDeclaration } from "../../../commands/commands.js";
import type { ObjectDefinition } from "../../events/datasource.js";
import { toDatasourceName } from "../../shared/ids.js";
import type { ObjectDefinitionMessage, SubMessage } from "../../validation/messages/datasourceMessages.js";
import { checkAddSub, checkRegisterDatasource, checkUpdateDatasource } from "../../validation/requestBodies.js";
import { patternMismatch } from "../../validation/issue.js";
import { textIssue, textRules } from "../../validation/parameters.js";
import { RefusedRequest, success, type Answer } from "../answer.js";
import { invalidRequest, valueOf } from "../envelopes.js";
import { toDatasourceAnswer, toSubAnswer } from "../representations.js";
import type { ApiRequest } from "../apiRequest.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import { settled } from "../settled.js";
import {
  consistencyHeader,
  datasourceNameInPath,
  forbidden,
  notFoundDatasource,
  notYetConsistent,
  schemaOf,
  subKeyInPath,
} from "./descriptions.js";

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

async function register(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const message = await request.body(checkRegisterDatasource);
  const command = {
    name: toDatasourceName(message.name),
    displayName: message.display_name ?? null,
    icon: message.icon_base64 ?? null,
    subs: (message.subs ?? []).map(toDeclaration),
    objectDefinitions: toObjectDefinitions(message.object_definitions ?? []),
  };
  return settled(await services.commands.registerDatasource(command, request.context), services, toDatasourceAnswer);
}

async function list(request: ApiRequest, { queries }: RouteServices): Promise<Answer> {
  const datasources = valueOf(await queries.listDatasources({ atLeast: request.atLeast }));
  return success(datasources.filter(({ name }) => request.mayUse(name)).map(toDatasourceAnswer));
}

async function find(request: ApiRequest, { queries }: RouteServices): Promise<Answer> {
  const name = request.datasourceParameter("name");
  request.requireDatasource(name);
  return success(toDatasourceAnswer(valueOf(await queries.findDatasource({ name, atLeast: request.atLeast }))));
}

async function update(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const name = request.datasourceParameter("name");
  const message = await request.body(checkUpdateDatasource);
  const definitions = message.object_definitions;
  const command = {
    name,
    ...(typeof message.display_name === "string" ? { displayName: message.display_name } : {}),
    ...(message.icon_base64 === undefined ? {} : { icon: message.icon_base64 }),
    ...(definitions === undefined || definitions === null
      ? {}
      : { objectDefinitions: toObjectDefinitions(definitions) }),
  };
  return settled(await services.commands.updateDatasource(command, request.context), services, toDatasourceAnswer);
}

async function remove(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const name = request.datasourceParameter("name");
  return settled(await services.commands.deleteDatasource({ name }, request.context), services, () => ({
    status: "ok",
  }));
}

async function addSub(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const datasource = request.datasourceParameter("name");
  const message = await request.body(checkAddSub);
  const added = await services.commands.addSub({ datasource, sub: toDeclaration(message) }, request.context);
  return settled(added, services, ({ name, key, parentKey }) => toSubAnswer(name, key, parentKey));
}

async function removeSub(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const datasource = request.datasourceParameter("name");
  const key = request.slugParameter("sub_key");
  const parentKey = request.query.get("parent_key")?.at(-1) ?? null;
  if (parentKey !== null && textIssue(["query", "parent_key"], parentKey, textRules.slug) !== null) {
    throw new RefusedRequest(invalidRequest([patternMismatch(["query", "parent_key"], textRules.slug.pattern)]));
  }
  return settled(await services.commands.removeSub({ datasource, key, parentKey }, request.context), services, () => ({
    status: "ok",
  }));
}

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
const answer = { schema: schemaOf("DatasourceAnswer"), example: exampleAnswer };
const done = { schema: schemaOf("DoneAnswer"), carriesToken: true } as const;

/** The datasources and their subs (spec: Datasources). */
export const datasourceRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/indexing/datasources",
    access,
    handle: register,
    description: {
      tag,
      summary: "Register a datasource",
      description: "One call declares subs and property schemas. Subs are nested, or flat with `parent_key`.",
      body: { schemas: ["RegisterDatasourceMessage"], example },
      success: { ...answer, description: "The datasource as it was registered.", carriesToken: true },
      failures: {
        403: forbidden,
        404: "The parent of a sub does not exist.",
        409: "A datasource with this name exists, or a sub key stands twice under one parent.",
      },
    },
  },
  {
    method: "GET",
    path: "/api/indexing/datasources",
    access,
    handle: list,
    description: {
      tag,
      summary: "List datasources",
      description: "By name; a limited service account gets those it is made for.",
      parameters: [consistencyHeader],
      success: {
        description: "The datasources.",
        schema: { type: "array", items: schemaOf("DatasourceAnswer") },
        example: [exampleAnswer],
      },
      failures: { 503: notYetConsistent },
    },
  },
  {
    method: "GET",
    path: "/api/indexing/datasources/{name}",
    access,
    handle: find,
    description: {
      tag,
      summary: "Read a datasource",
      parameters: [datasourceNameInPath, consistencyHeader],
      success: { ...answer, description: "The datasource with its full sub tree." },
      failures: { 403: forbidden, 404: notFoundDatasource, 503: notYetConsistent },
    },
  },
  {
    method: "PUT",
    path: "/api/indexing/datasources/{name}",
    access,
    handle: update,
    description: {
      tag,
      summary: "Change a datasource",
      description: "Only `display_name`, `icon_base64` and `object_definitions` can change; what is left out stays.",
      parameters: [datasourceNameInPath],
      body: { schemas: ["UpdateDatasourceMessage"], example: { display_name: "Handbook" } },
      success: { ...answer, description: "The datasource as it is now.", carriesToken: true },
      failures: { 403: forbidden, 404: notFoundDatasource },
    },
  },
  {
    method: "DELETE",
    path: "/api/indexing/datasources/{name}",
    access,
    handle: remove,
    description: {
      tag,
      summary: "Delete a datasource",
      description: "With its subs, users, groups, memberships and documents. Irreversible.",
      parameters: [datasourceNameInPath],
      success: { ...done, description: "It is gone." },
      failures: { 403: forbidden, 404: notFoundDatasource },
    },
  },
  {
    method: "POST",
    path: "/api/indexing/datasources/{name}/subs",
    access,
    handle: addSub,
    description: {
      tag,
      summary: "Add a sub",
      parameters: [datasourceNameInPath],
      body: { schemas: ["SubMessage"], example: { name: "Payroll", parent_key: "human_resources" } },
      success: {
        description: "The added sub.",
        schema: schemaOf("SubAnswer"),
        example: toSubAnswer("Payroll", "payroll", "human_resources"),
        carriesToken: true,
      },
      failures: {
        403: forbidden,
        404: "The datasource or the parent does not exist.",
        409: "The key exists under the same parent.",
      },
    },
  },
  {
    method: "DELETE",
    path: "/api/indexing/datasources/{name}/subs/{sub_key}",
    access,
    handle: removeSub,
    description: {
      tag,
      summary: "Remove a sub and its children",
      description: "Documents stay; they lose their sub until they are indexed again.",
      parameters: [
        datasourceNameInPath,
        subKeyInPath,
        {
          name: "parent_key",
          in: "query",
          description: "Says which child is meant where the key stands under several parents.",
          schema: { type: "string", ...textRules.slug },
        },
      ],
      success: { ...done, description: "It is gone." },
      failures: {
        403: forbidden,
        404: "The datasource or the sub does not exist.",
        409: "The key stands under several parents; send `parent_key`.",
      },
    },
  },
];
