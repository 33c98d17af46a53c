import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { apiRoutes, features } from "../../src/wiring/features.js";
import { describeApi } from "../../src/http/openapi/describeApi.js";
import { createRouteFinder } from "../../src/http/router.js";

interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DescribedAnswer>> }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Contract {
  readonly description: Description;
  /** Knows the description's schemas, closed, as a document named {@link named}. */
  readonly ajv: Ajv2020;
}

/** What a reference into the description begins with where it comes from elsewhere. */
const named = "description";

/** An answer of the service, as it came. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Of HTTP itself: answered before a route is found, or instead of one. */
const ofHttp: ReadonlySet<number> = new Set([400, 408, 417, 431, 501]);
/** Depend on what happened before the answer. */
const headersThatMayLack: ReadonlySet<string> = new Set(["X-Consistency-Token", "Retry-After"]);
const find = createRouteFinder(apiRoutes);
const validators = new Map<string, ValidateFunction>();
let made: Contract | null = null;

/** What an answer does otherwise than the description of the API says; null where it keeps to it. */
export function breachOf(method: string, path: string, answer: GivenAnswer): string | null {
  const route = find(method, path.split("?")[0] ?? "");
  if (route === null || ofHttp.has(answer.status)) return null;
  const { description } = contract();
  const described = description.paths[route.path]?.[method.toLowerCase()]?.responses[String(answer.status)];
  const place = `${method} ${route.path} ${answer.status}`;
  if (described === undefined) return `${place} is not described.`;
  const breach = headerBreach(described, answer) ?? bodyBreach(place, described, answer);
  return breach === null ? null : `${place}: ${breach}`;
}

function headerBreach(described: DescribedAnswer, { headers }: GivenAnswer): string | null {
  const names = Object.keys(described.headers ?? {});
  const lacking = names.filter((name) => !headersThatMayLack.has(name) && !headers.has(name));
  return lacking.length === 0 ? null : `it lacks ${lacking.join(", ")}`;
}

function bodyBreach(place: string, { content }: DescribedAnswer, { headers, body }: GivenAnswer): string | null {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  const schema = content?.[mediaType]?.schema;
  if (schema === undefined) return `${mediaType} is not described`;
  if (mediaType !== "application/json") return null;
  const { ajv } = contract();
  const validate = validators.get(place) ?? ajv.compile(fromElsewhere(closed(schema)) as object);
  validators.set(place, validate);
  return validate(body) ? null : ajv.errorsText(validate.errors);
}

/** Made when it is first asked for. */
const contract = (): Contract => (made ??= makeContract());

function makeContract(): Contract {
  const description = JSON.parse(JSON.stringify(describeApi(features, "amber"))) as Description;
  const { schemas } = description.components;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return { description, ajv: ajv.addSchema({ components: { schemas: closed(schemas) } }, named) };
}

/** The same schema with references to that document: each schema of it is compiled once, by the first that needs it. */
function fromElsewhere(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace(/^#/, `${named}#`) : value,
  ) as unknown;
}

/** The same schemas, taking no properties but those that they name: what is not described is not answered. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isRecord = schema["type"] === "object" && "properties" in schema && !("additionalProperties" in schema);
  return isRecord && Object.keys(schema["properties"] as object).length > 0
    ? { ...schema, additionalProperties: false }
    : schema;
}
