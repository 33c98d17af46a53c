import { Readable } from "node:stream";
import { type tags, createAssert, createValidate, json } from "typia";
import type { SubDeclaration } from "../../commands/commands.js";
import type { ObjectDefinition, PropertyType, DefaultAccess, ChildSub, Datasource } from "../events/datasource.js";
import { toDatasourceName } from "../shared/ids.js";
import { ok } from "../shared/result.js";
import { extraForbidden, patternMismatch, valueError, type Issue } from "../http/validation/issue.js";
import { queryOf, textIssue, textParameter, textRules } from "../http/validation/parameters.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { commandRoute } from "../http/commandRoute.js";
import { invalidRequest, valueOf } from "../http/envelopes.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import { mayUse, requireDatasource } from "../http/authentication.js";
import { jsonOfList } from "../http/streamedAnswers.js";
import { listOf, boundedValidation, wrongShape, bodyMessage, answerMessage } from "../http/validation/message.js";
import { route } from "../http/route.js";
import {
  datasourceNameInPath,
  forbidden,
  notFoundDatasource,
  notYetConsistent,
  subKeyInPath,
} from "../http/pathParameters.js";
import { doneAnswer } from "../http/messages/errors.js";
import type { MaxCharacters } from "../http/validation/characters.js";
import type { Label, Slug } from "../http/messages/names.js";
import { iconLength } from "../http/validation/base64.js";
import { fileTypes, fileTypesAnswer } from "./documentMessage.js";

/** A property that documents of the datasource may carry (spec: Property definition). */
interface PropertyDefinitionMessage {
  /** What `custom_properties[].name` refers to. */
  name: string & tags.MinLength<1> & MaxCharacters<128>;
  /** Display name in the search interface. Default: `name`. */
  display_label?: Label | null;
  /** true: the value is included in full-text search; false (the default): structured filter only. */
  is_searchable?: boolean | null;
  property_type: PropertyType;
}

/** An object type with the properties of its documents. */
interface ObjectDefinitionMessage {
  /** Default: `default`. */
  name?: Label | null;
  property_definitions?: PropertyDefinitionMessage[] | null;
}

const largestIconBytes = 256 * 1024;

/** What is wrong with the icon of a datasource. */
function iconIssues({ icon_base64: icon }: { icon_base64?: string | null }): readonly Issue[] {
  if (icon === undefined || icon === null) return [];
  const bytes = iconLength(icon);
  if (bytes === undefined)
    return [valueError(["body", "icon_base64"], "the icon must be standard Base64 or a Base64 data URL")];
  return bytes <= largestIconBytes
    ? []
    : [valueError(["body", "icon_base64"], `the icon may have at most ${largestIconBytes} bytes, but has ${bytes}`)];
}

/** A sub-datasource (spec: Sub definition); body of `POST /datasources/{name}/subs`. */
interface SubMessage {
  name: Label;
  /** Derived from `name` where it is left out. */
  key?: Slug | null;
  /** An existing top-level sub; makes this one its child. */
  parent_key?: Slug | null;
  /** Children; a child has none. */
  subs?: SubMessage[] | null;
}

export const addSubMessage = bodyMessage(
  json.schema<SubMessage>(),
  boundedValidation(createValidate<SubMessage>(), createAssert<SubMessage>(wrongShape)),
);

/** Body of `POST /datasources`. */
interface RegisterDatasourceMessage {
  /** Any slug but `other`, which searches use for datasources without a well-known name. */
  name: Slug;
  /** Default: `name`. */
  display_name?: Label | null;
  /** Base64 or a data URL, at most 256 KiB decoded. */
  icon_base64?: string | null;
  /** Nested, or flat with `parent_key`. */
  subs?: SubMessage[] | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
  /**
   * Our own addition: who sees documents that are pushed without `permissions`: `anonymous` (the default), every
   * registered user; `nobody`, no one.
   */
  default_access?: DefaultAccess | null;
}

export const registerDatasourceMessage = bodyMessage(
  json.schema<RegisterDatasourceMessage>(),
  boundedValidation(createValidate<RegisterDatasourceMessage>(), createAssert<RegisterDatasourceMessage>(wrongShape)),
  (message) => [...nameIssues(message), ...iconIssues(message)],
);

/** `data_source=other` searches every datasource that is not named like one of the spec's six. */
const nameIssues = ({ name }: RegisterDatasourceMessage): readonly Issue[] =>
  name === "other"
    ? [
        valueError(
          ["body", "name"],
          "other is what searches call all datasources without a well-known name; choose another",
        ),
      ]
    : [];

/** Body of `PUT /datasources/{name}`; what is left out stays as it is. What `GET` answers can be sent back. */
interface UpdateDatasourceMessage {
  /** The name as it is: it cannot be changed. */
  name?: string | null;
  /** The subs as they are: they cannot be changed here. */
  subs?: SubMessage[] | null;
  display_name?: Label | null;
  /** null removes the icon. */
  icon_base64?: string | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
  /**
   * Our own addition: who sees documents that are pushed without `permissions` from now on. What is indexed stays as it
   * is until it is pushed again.
   */
  default_access?: DefaultAccess | null;
}

export const updateDatasourceMessage = bodyMessage(
  json.schema<UpdateDatasourceMessage>(),
  boundedValidation(createValidate<UpdateDatasourceMessage>(), createAssert<UpdateDatasourceMessage>(wrongShape)),
  iconIssues,
);

/** A sub as it is answered. */
interface SubAnswer {
  name: string;
  key: string;
  /** null for a top-level sub. */
  parent_key: string | null;
  subs: SubAnswer[];
}

const subAnswer = answerMessage(json.schema<SubAnswer>());

/** A property definition as it is answered. */
interface PropertyDefinitionAnswer {
  name: string;
  display_label: string;
  is_searchable: boolean;
  property_type: PropertyType;
}

/** An object definition as it is answered. */
interface ObjectDefinitionAnswer {
  name: string;
  property_definitions: PropertyDefinitionAnswer[];
}

/** A datasource with its full sub tree. */
interface DatasourceAnswer {
  name: string;
  display_name: string;
  icon_base64: string | null;
  subs: SubAnswer[];
  object_definitions: ObjectDefinitionAnswer[];
  /** Our own addition: who sees documents that are pushed without `permissions`. */
  default_access: DefaultAccess;
}

const datasourceAnswer = answerMessage(json.schema<DatasourceAnswer>());

/** A datasource with its whole sub tree, in the spec's words. */
export const toDatasourceAnswer = ({
  name,
  displayName,
  icon,
  subs,
  objectDefinitions,
  defaultAccess,
}: Datasource): DatasourceAnswer => ({
  name,
  display_name: displayName,
  icon_base64: icon,
  subs: subs.map((sub) => toSubAnswer(sub, null)),
  object_definitions: objectDefinitions.map((definition) => ({
    name: definition.name,
    property_definitions: definition.propertyDefinitions.map((property) => ({
      name: property.name,
      display_label: property.displayLabel,
      is_searchable: property.isSearchable,
      property_type: property.propertyType,
    })),
  })),
  default_access: defaultAccess,
});

/** A sub with those nested in it. */
const toSubAnswer = (
  { name, key, subs = [] }: ChildSub & { readonly subs?: readonly ChildSub[] },
  parentKey: string | null,
): SubAnswer => ({ name, key, parent_key: parentKey, subs: subs.map((child) => toSubAnswer(child, key)) });

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
const parentKeyInQuery = queryOf(
  {
    parent_key: textParameter(
      "Says which child is meant where the key stands under several parents.",
      (key, given) => {
        if (textIssue([], key, textRules.slug) !== null)
          given.refuse((loc) => patternMismatch(loc, textRules.slug.pattern));
        return key;
      },
      { type: "string", ...textRules.slug },
    ),
  },
  ({ parent_key: parentKey }) => ok(parentKey),
);

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

const listFileTypes = route({
  method: "GET",
  path: "/api/indexing/file-types",
  access: "serviceAccount",
  handle(context) {
    context.body = fileTypes;
  },
  description: {
    tag: "Documents",
    summary: "List file types",
    success: {
      description: "Every value of `file_type`.",
      schema: fileTypesAnswer,
      example: fileTypes,
    },
  },
});

/** What `file_type` of a document can be (spec: Datasources, GET /file-types). */
export const fileTypeRoutes = [listFileTypes];
