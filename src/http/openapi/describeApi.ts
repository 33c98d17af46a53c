import { requirementOf, type Access } from "../access.js";
import { isReading } from "../middleware/authentication.js";
import type { DescribedRoute, ParameterDescription, RouteDescription } from "../route.js";
import { errorAnswer, validationErrorAnswer } from "../messages/errors.js";
import { consistencyHeader } from "../routes/descriptions.js";
import { eitherOf, type MessageSchema } from "../validation/message.js";
import { refineSchemas } from "./refineSchemas.js";

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

const tags: readonly { readonly name: RouteDescription["tag"]; readonly description: string }[] = [
  { name: "Datasources", description: "What documents come from: subs, properties. Beta." },
  { name: "Documents", description: "Push documents with their permissions. Beta." },
  { name: "Sync runs", description: "Delete what a source no longer has, once all of it was pushed. Beta." },
  { name: "Users", description: "Who may search a datasource. Beta." },
  { name: "Groups", description: "Groups of people and groups. Beta." },
  { name: "Memberships", description: "Who belongs to which group. Beta." },
  { name: "Search", description: "Search as a person, and read what was found. Beta." },
  { name: "Files", description: "Files of one's own, to ask about. Beta." },
  { name: "MCP", description: "For chat programs and agents that bring their own model." },
  { name: "Web search", description: "Search the web through an engine outside. Beta." },
  { name: "Agents", description: "What people talk to; for people with the role `operator`." },
  {
    name: "Chat",
    description:
      "Models, and answers of theirs with searches of their own, as the usual clients of LLM APIs ask. Beta.",
  },
  { name: "Audit", description: "Who could see what, and why; for people with the role `auditor`." },
  {
    name: "Projections",
    description: "Where read models stand, and building them anew; for people with the role `operator`.",
  },
  { name: "Events", description: "What has happened; for people with the role `operator`." },
  { name: "Session", description: "Signing in and out, with a password, a link, or at an identity provider." },
  { name: "Accounts", description: "Who may sign in, and with which roles; for people with the role `administrator`." },
  {
    name: "Credentials",
    description:
      "Service accounts, for administrators, and personal keys, one's own for everybody. For people who are signed in: no key may make keys.",
  },
  {
    name: "Administration",
    description:
      "Datasources, people, groups and documents, for administrators: what connectors do, and looking into it.",
  },
  { name: "Operation", description: "Health." },
];

/** The OpenAPI 3.1 description of these routes; its schemas come from the types that validate. */
export function describeApi(routes: readonly DescribedRoute[], productName: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Enterprise search",
      version: "0.1.0",
      description:
        "Push documents with permissions, search as a person. Every request may carry `X-Request-Id`, and every answer does, which correlates them with the service's log.",
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags,
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

const parametersOf = ({ params = [], query, isConsistent }: DescribedRoute): readonly ParameterDescription[] => [
  ...params.map(({ description }) => description),
  ...(query?.parameters ?? []),
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
