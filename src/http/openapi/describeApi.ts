import { version } from "../../version.js";
import { requirementOf, type Access } from "../access.js";
import { isReading } from "../authentication.js";
import type { DescribedRoute, Feature } from "../route.js";
import type { ParameterDescription } from "../validation/parameters.js";
import { errorAnswer, validationErrorAnswer } from "../messages/errors.js";
import { consistencyHeader } from "../pathParameters.js";
import { eitherOf, type MessageSchema } from "../validation/message.js";

const text = { type: "string" };
/** Headers of answers, by name. */
const headers = {
  "X-Request-Id": {
    description: "As the request named itself, or at random: correlates the answer with the service's log.",
    schema: text,
  },
  "X-Consistency-Token": { description: "Send it back with a read, and the read sees this write.", schema: text },
  "Retry-After": { description: "After so many seconds the request may be sent again.", schema: { type: "integer" } },
  "WWW-Authenticate": { description: "How to authenticate: `Bearer`.", schema: text },
  Allow: { description: "The methods that the address takes.", schema: text },
};

/** Every answer names its request. */
const withHeaders = (...names: readonly (keyof typeof headers)[]): object =>
  Object.fromEntries(
    (["X-Request-Id", ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const headersOfStatus: Readonly<Record<string, object>> = {
  401: withHeaders("WWW-Authenticate"),
  405: withHeaders("Allow"),
  503: withHeaders("Retry-After"),
};

/** The OpenAPI 3.1 description of the routes of these features; its schemas come from the types that validate. */
export function describeApi(features: readonly Feature[], productName: string): object {
  const routes = features.flatMap((feature) => feature.routes);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Enterprise search",
      version,
      description:
        "Push documents with permissions, search as a person. Every request may carry `X-Request-Id`, and every answer does, which correlates them with the service's log.",
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: features.flatMap(({ tags }) => Object.entries(tags).map(([name, description]) => ({ name, description }))),
    paths,
    components: {
      schemas: schemasOf(routes),
      headers,
      securitySchemes: {
        serviceAccount: {
          type: "http",
          scheme: "bearer",
          description: `Service-account token of the Indexing API; begins with \`${productName}_sa_\`.`,
        },
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `Personal key of the query API, bound to one login email; begins with \`${productName}_key_\`.`,
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: `${productName}_session`,
          description:
            "Set by `POST /api/session`, where somebody signs in; counts where no `Authorization` comes. Whatever is no GET needs the header `X-CSRF-Token` too, with what `GET /api/session` answers as `csrf_token`.",
        },
      },
    },
  };
}

function operationOf(route: DescribedRoute): object {
  const { method, path, access, body, description } = route;
  const { tag, summary, example, success } = description;
  const parameters = parametersOf(route);
  return {
    operationId: operationIdOf(method, path),
    tags: [tag],
    summary,
    ...(description.description === undefined ? {} : { description: description.description }),
    security: securityOf(access),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOf) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: content(body.mediaType, body.message, example) } }),
    responses: {
      200: {
        description: success.description,
        headers: success.carriesToken === true ? withHeaders("X-Consistency-Token") : withHeaders(),
        content: {
          ...content(success.mediaType, success.schema, success.example),
          ...Object.fromEntries(Object.entries(success.also ?? {}).map(([type, { schema }]) => [type, { schema }])),
        },
      },
      ...withTheirHeaders(failuresOf(route, body !== undefined || parameters.length > 0)),
    },
  };
}

const parametersOf = ({
  params = [],
  query,
  isConsistent,
  description: { headers: said = [] },
}: DescribedRoute): readonly ParameterDescription[] => [
  ...params.map(({ description }) => description),
  ...(query?.parameters ?? []),
  ...said,
  ...(isConsistent === true ? [consistencyHeader] : []),
];

/** A comma list is one parameter, not several. */
const parameterOf = (parameter: ParameterDescription): object => ({
  ...parameter,
  ...((parameter.schema as { type?: string }).type === "array" ? { style: "form", explode: false } : {}),
});

/** The kinds of credentials, with the roles that they need. */
function securityOf(access: Access): readonly object[] {
  if (access === "open") return [];
  const { kinds, roles, isForKeys } = requirementOf(access);
  return kinds.filter((kind) => kind !== "apiKey" || isForKeys).map((kind) => ({ [kind]: roles }));
}

/** When somebody who has proven who they are may not; null: never. */
function whenForbidden({ access, method }: DescribedRoute): string | null {
  if (access === "open") return null;
  const { kinds, roles, isForKeys } = requirementOf(access);
  const reasons = [
    ...(roles.length === 0 ? [] : [`The person, or the key, has not ${roles.join(" and ")}.`]),
    ...(kinds.includes("apiKey") && !isForKeys ? ["It is for people who are signed in, and for no key."] : []),
    ...(kinds.includes("session") && !isReading(method) ? ["`X-CSRF-Token` is missing or of another session."] : []),
  ];
  return reasons.length === 0 ? null : reasons.join(" ");
}

function failuresOf(route: DescribedRoute, validates: boolean): Record<string, object> {
  const { access, body, isConsistent } = route;
  const { failures = {}, envelopes = ours, failure = envelopes.sentence, otherInvalid, success } = route.description;
  const refused = (description: string, message = envelopes.sentence): object => refusedWith(description, message);
  const authenticates = access !== "open";
  const forbidden = whenForbidden(route);
  const answers = Object.entries(failures).map(([status, description]) => [status, refused(description, failure)]);
  return {
    ...(authenticates && { 503: refused("What the answer rests on is not available at the moment. See Retry-After.") }),
    ...(success.carriesToken === true
      ? { 503: refused("Others kept changing the same data; nothing was written. See Retry-After.") }
      : {}),
    ...(isConsistent && {
      409: refused("`X-Consistency-Token` names a write that the log of this service does not hold."),
    }),
    ...(Object.fromEntries(answers) as Record<string, object>),
    ...(forbidden === null
      ? {}
      : { 403: refused([failures[403], forbidden].filter((reason) => reason !== undefined).join(" ")) }),
    ...(authenticates
      ? {
          401: refused(
            "The token is missing, invalid, expired, revoked, or of the wrong kind; or one is not signed in any more.",
          ),
          429: refused("The credential has sent more requests than `RATE_LIMIT_PER_MINUTE` allows. See Retry-After."),
        }
      : {}),
    ...(validates && {
      422: refused("The request breaks a rule; nothing was changed.", eitherIf(envelopes.invalid, otherInvalid)),
    }),
    ...(body && { 413: refused("The body is too large."), 415: refused(otherMediaType(body)) }),
    405: refused("The address takes other methods, which `Allow` lists."),
    500: refused("Unexpected; safe to retry."),
  };
}

const eitherIf = (one: MessageSchema, other: MessageSchema | undefined): MessageSchema =>
  other === undefined ? one : eitherOf(one, other);

const otherMediaType = ({ mediaType = "JSON in UTF-8" }: NonNullable<DescribedRoute["body"]>): string =>
  `The body is not uncompressed ${mediaType}.`;

const withTheirHeaders = (answers: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { headers: headersOfStatus[status] ?? withHeaders(), ...answer },
    ]),
  );

/** The envelopes of the spec. */
const ours = { sentence: errorAnswer, invalid: validationErrorAnswer };

const refusedWith = (description: string, message: MessageSchema): object => ({
  description,
  content: json(message),
});

const content = (mediaType: string | undefined, { schema }: MessageSchema, example: unknown): object => ({
  [mediaType ?? "application/json"]: { schema, ...(example === undefined ? {} : { example }) },
});

const json = (message: MessageSchema, example?: unknown): object => content(undefined, message, example);

/** Every schema that the routes refer to, by the name of its type: of the very types that validate. */
function schemasOf(routes: readonly DescribedRoute[]): Readonly<Record<string, object>> {
  const messages = routes.flatMap(({ body, description: { success, failure, otherInvalid, envelopes } }) => [
    ...[body?.message, success.schema, failure, otherInvalid, envelopes?.sentence, envelopes?.invalid],
  ]);
  const all = [...messages, errorAnswer, validationErrorAnswer].map((message) => message?.components);
  return refineSchemas(Object.assign({}, ...all) as Record<string, object>);
}

/** `post_api_indexing_documents_check_access` */
const operationIdOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_").replace(/_$/, "")}`;

type Schema = Readonly<Record<string, unknown>>;

/** Numbers that are measures; every other one in a message counts something, or is a status or a version. */
const measures: ReadonlySet<string> = new Set([
  "score",
  "language_factor",
  "weight",
  "rarity",
  "share",
  "worth",
  "max_deleted_share",
  "progress",
  "rate",
  "seconds",
  "seconds_left",
  "sample",
  "temperature",
  "value",
]);

/** What types are called that have no name of their own: any object. */
const unnamedObjects: ReadonlySet<string> = new Set(["object", "Recordstringunknown"]);

/** The two fields of which a message takes one, as a text. */
const alternatives: Readonly<Record<string, readonly [string, string]>> = {
  BodyMessage: ["text_content", "binary_base64"],
  MembershipMessage: ["member_email", "member_group_name"],
};

/** What types cannot say of messages: their schemas get it laid over. */
const toldBesides: Readonly<Record<string, { readonly properties: Schema; readonly required?: readonly string[] }>> = {
  // Where there is none the answer is 400, and 422 where a body is of another shape (spec: users).
  UserMessage: { properties: { email: { type: "string", maxLength: 254 } }, required: ["email"] },
  // A type cannot hold the default of a boolean.
  WebSearchPayload: { properties: { deep_search: { default: false } } },
};

/**
 * Says in schemas what the types that they are made of cannot: whole numbers, exactly one of two fields, an object of
 * any kind, instants, fields that are required.
 */
function refineSchemas(components: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  const named = Object.entries(components).filter(([name]) => !unnamedObjects.has(name));
  return Object.fromEntries(
    named.map(([name, schema]) => [name, toldWhole(name, withAlternatives(name, refined(schema, name) as Schema))]),
  );
}

/** `place` is the name of the property or component that the value belongs to. */
function refined(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => refined(inner, place));
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (unnamedObjects.has(nameOf(schema["$ref"]))) {
    const { description } = schema;
    return { type: "object", ...(description === undefined ? {} : { description }) };
  }
  const entries = Object.entries(schema).flatMap(([key, inner]) => refinedEntry(key, inner, place));
  return Object.fromEntries(entries);
}

function refinedEntry(key: string, inner: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (key === "properties") return [[key, refinedProperties(inner as Schema)]];
  if (key === "example" || key === "default" || key === "enum" || key === "const") return [[key, inner]];
  if (key === "type" && inner === "number" && !measures.has(place)) return [[key, "integer"]];
  if (key === "description" && typeof inner === "string") return [[key, readable(inner)]];
  // `readonly` in TypeScript says nothing about who sends a property.
  return key === "readOnly" ? [] : [[key, refined(inner, place)]];
}

const refinedProperties = (properties: Schema): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, asInstant(name, refined(schema, name) as Schema)]),
  );

/** Whatever is called so tells a time of the service's own, if it is a text. */
function asInstant(name: string, schema: Schema): Schema {
  if (!name.endsWith("_at")) return schema;
  if (schema["type"] === "string") return { ...schema, format: "date-time" };
  const { oneOf } = schema as { readonly oneOf?: readonly Schema[] };
  return oneOf === undefined ? schema : { ...schema, oneOf: oneOf.map((one) => asInstant(name, one)) };
}

function toldWhole(name: string, schema: Schema): Schema {
  const told = toldBesides[name];
  if (told === undefined) return schema;
  const known = schema["properties"] as Readonly<Record<string, Schema>>;
  const properties = Object.entries(told.properties).map(([field, more]) => {
    const { oneOf: _either, ...rest } = known[field] ?? {};
    return [field, { ...rest, ...(more as Schema) }];
  });
  return {
    ...schema,
    properties: { ...known, ...(Object.fromEntries(properties) as Schema) },
    required: [...((schema["required"] ?? []) as readonly string[]), ...(told.required ?? [])],
  };
}

/**
 * Descriptions come from comments, which the width of the source breaks into lines; a blank line ends a paragraph.
 */
const readable = (comment: string): string =>
  comment.replace(/(?<!\n)\n(?!\n)/g, " ").replace(/\{@link (\w+)\}/g, "`$1`");

/** null is as good as left out, so what makes the difference is which of them is a text. */
function withAlternatives(name: string, schema: Schema): Schema {
  const fields = alternatives[name];
  if (fields === undefined) return schema;
  return {
    ...schema,
    oneOf: fields.map((field) => ({ required: [field], properties: { [field]: { type: "string" } } })),
  };
}

const nameOf = (reference: unknown): string =>
  typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : "";
