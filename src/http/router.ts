import KoaRouter, { RouterEvents } from "@koa/router";
import type { ApiMiddleware, RequestState, ApiContext } from "./apiContext.js";
import { authenticated, provenStill, provenToTheEnd, limitRate } from "./authentication.js";
import { awaitBody, countRequest } from "./body/acceptBody.js";
import type { DescribedRoute, Method, Route } from "./route.js";
import type { QueryParameters } from "./validation/parameters.js";
import type { RouteServices } from "./routeServices.js";
import { isConsistencyToken, type ConsistencyTokens } from "../shared/consistencyTokens.js";
import { beginning, laterOf, type Position } from "../shared/position.js";
import { valueError } from "./validation/issue.js";
import { invalidRequest, toRefusal, checked, nothingHere, refusal } from "./envelopes.js";
import { RefusedRequest } from "./refusedRequest.js";
import { decodePercent, notDecodable, parseQueryString, type QueryString } from "./validation/parameters.js";

/** The last of the routes that match answers. */
const options = { exclusive: true } as const;

/**
 * Routes requests by method and raw path: `%2F` stays in its segment, a fixed segment wins over a parameter. What a
 * route asks for is checked in the order of HTTP's own questions: who calls, what the address says, what the body says.
 */
export function createRouter(routes: readonly Route[]): ApiMiddleware {
  const router = new KoaRouter<RequestState, { readonly services: RouteServices }>(options);
  for (const route of fixedLast(routes)) {
    router.register(patternOf(route), [route.method], middlewareOf(route), asRegExp);
  }
  router.on(RouterEvents.NotFound, (context) =>
    unrouted(context, [...new Set((context.matched ?? []).flatMap(({ methods }) => methods))].filter(isOwn)),
  );
  return router.routes() as unknown as ApiMiddleware;
}

/** The route of a method and a raw path; null where there is none. */
export type FindRoute<AnyRoute extends Route> = (method: string, path: string) => AnyRoute | null;

/** Finds routes as {@link createRouter} does, for requests that are at hand and not on the wire. */
export function createRouteFinder<AnyRoute extends Route>(routes: readonly AnyRoute[]): FindRoute<AnyRoute> {
  const router = new KoaRouter(options);
  const byName = new Map<string, AnyRoute>();
  for (const route of fixedLast(routes)) {
    const name = `${route.method} ${route.path}`;
    byName.set(name, route);
    router.register(patternOf(route), [route.method], [], { ...asRegExp, name });
  }
  return (method, path) => byName.get(router.match(path, method).pathAndMethod.at(-1)?.name ?? "") ?? null;
}

/**
 * The fewest parameters last, so that a fixed segment wins over a parameter, and that over the rest of a path; of rests
 * the shorter.
 */
const fixedLast = <AnyRoute extends Route>(routes: readonly AnyRoute[]): readonly AnyRoute[] =>
  [...routes].sort((one, other) => breadthOf(other) - breadthOf(one) || one.path.length - other.path.length);

const breadthOf = ({ params = [] }: Route): number =>
  params.reduce((sum, { isRest = false }) => sum + (isRest ? mostParameters : 1), 0);

/** More than a path has. */
const mostParameters = 100;

/** All methods that there are, in the order of the routes. */
export const methodsOf = (routes: readonly Route[]): readonly Method[] => [
  ...new Set(routes.map(({ method }) => method)),
];

const asRegExp = { pathAsRegExp: true } as const;

/** `{name}` is one segment, or the rest of the path. A slash at the end is no matter, but before what may be empty. */
function patternOf({ path, params = [] }: Pick<Route, "path" | "params">): RegExp {
  const segments = params.map(({ isRest, mayBeEmpty }) => (isRest ? ".+" : mayBeEmpty ? "[^/]*" : "[^/]+"));
  let next = 0;
  const pattern = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, () => segments[next++] ?? "[^/]+");
  return new RegExp(`^${pattern}${pattern.endsWith("*") || pattern.endsWith("/") ? "" : "/?"}$`);
}

/** `@koa/router` adds HEAD to every GET. */
const isOwn = (method: string): method is Method => method !== "HEAD";

function middlewareOf(route: Route): ApiMiddleware[] {
  const { path, params = [], query, body, isConsistent = false, isProbe = false } = route;
  const { description } = route as Partial<DescribedRoute>;
  return [
    named(path),
    ...guardsOf(route),
    ...(params.length === 0 ? [] : [checkPath(route)]),
    ...(query === undefined ? [] : [checkQuery(query)]),
    ...(body === undefined ? [] : [awaitBody(body.mostBytes), ...body.read, provenStill]),
    ...(isProbe ? [] : [countRequest]),
    ...(isConsistent ? [readToken] : []),
    ...(description?.success.carriesToken === true ? [answerToken] : []),
    (context) => {
      const { params: given, query: question, body: message } = context.state;
      return route.handle(context, { params: given, query: question, body: message });
    },
  ];
}

function guardsOf(route: Route): ApiMiddleware[] {
  const { description } = route as Partial<DescribedRoute>;
  return route.access === "open"
    ? []
    : [authenticated({ access: route.access, doing: description?.doing }), limitRate, provenToTheEnd];
}

const named =
  (route: string): ApiMiddleware =>
  async (context, next) => {
    const { state, method, services } = context;
    state.route = route;
    const end = services.underWay?.begin({ method, route, requestId: state.requestId });
    try {
      await next();
    } finally {
      end?.();
    }
  };

/** More tokens than a client has writes under way at once. */
const mostTokens = 100;

/** Tells a client how far the log has come with what it wrote: `X-Consistency-Token`. */
const answerToken: ApiMiddleware = async (context, next) => {
  await next();
  const { position } = context.state;
  const token = position === null ? null : await context.services.consistencyTokens.of(position);
  if (token !== null) context.set("X-Consistency-Token", token);
};

/** Reads the tokens that a client sends back, so that its read sees at least those writes. */
const readToken: ApiMiddleware = async (context, next) => {
  context.state.atLeast = await positionIn(context);
  return next();
};

async function positionIn({ req: { headers }, services }: ApiContext): Promise<Position | null> {
  const given = headers["x-consistency-token"];
  if (given === undefined) return null;
  const tokens = String(given)
    .split(",")
    .map((token) => token.trim());
  if (tokens.length > mostTokens || !tokens.every(isConsistencyToken)) throw malformed();
  const positions = await Promise.all(tokens.map((token) => services.consistencyTokens.positionOf(token)));
  return positions.reduce<Position>((latest, position) => {
    if (position === null) throw new RefusedRequest(toRefusal({ type: "TokenBeyondLog" }));
    return laterOf(latest, position);
  }, beginning);
}

const malformed = (): RefusedRequest =>
  new RefusedRequest(
    invalidRequest([
      valueError(
        ["header", "x-consistency-token"],
        `the token must be one that this service answered a write with, or up to ${mostTokens} of them with commas between`,
      ),
    ]),
  );

/** Checks the parameters of the path. */
function checkPath(route: Pick<Route, "path" | "params">): ApiMiddleware {
  const paramsIn = paramsReader(route);
  return (context, next) => {
    context.state.params = paramsIn(context.path);
    return next();
  };
}

/** Checks the query string. */
const checkQuery =
  ({ check, moments = [] }: QueryParameters<unknown>): ApiMiddleware =>
  async (context, next) => {
    const given = checked(parseQueryString(context.querystring));
    const { consistencyTokens } = context.services;
    context.state.query = checked(check(await withPositions(given, moments, consistencyTokens)));
    return next();
  };

/** Puts positions in the place of consistency tokens. What is no token of this log is left for the check to refuse. */
async function withPositions(
  given: QueryString,
  moments: readonly string[],
  tokens: ConsistencyTokens,
): Promise<QueryString> {
  const replaced = new Map(given);
  for (const name of moments) {
    const position = await tokens.positionOf(given.get(name)?.at(-1) ?? "");
    if (position !== null) replaced.set(name, [String(position)]);
  }
  return replaced;
}

/**
 * Reads the parameters out of a path that the route was found for, decoded and checked. The path is split before
 * anything is decoded, so that `%2F` is part of a segment; an empty segment is an empty text, and the rest of a path is
 * all that follows, but for a slash at its end.
 */
export function paramsReader({
  path,
  params = [],
}: Pick<Route, "path" | "params">): (given: string) => Readonly<Record<string, string>> {
  const places = path.split("/").flatMap((segment, place) => (segment.startsWith("{") ? [place] : []));
  return (given) => {
    const segments = given.split("/");
    const rest = segments.at(-1) === "" ? segments.slice(0, -1) : segments;
    const decoded = params.map(({ description: { name }, isRest }, index) => {
      const place = places[index] ?? 0;
      const segment = isRest === true ? rest.slice(place).join("/") : (segments[place] ?? "");
      return [name, decode(name, segment)] as const;
    });
    for (const [index, { refusalOf }] of params.entries()) {
      const refused = refusalOf(decoded[index]?.[1] ?? "");
      if (refused !== null) throw new RefusedRequest(refused);
    }
    return Object.fromEntries(decoded);
  };
}

function decode(name: string, segment: string): string {
  const text = decodePercent(segment);
  if (text === undefined) throw new RefusedRequest(invalidRequest([valueError(["path", name], notDecodable)]));
  return text;
}

/** Answers where no route has the path and the method: with what the path allows, or that there is nothing. */
function unrouted(context: ApiContext, allowed: readonly Method[]): void {
  if (allowed.length === 0) throw new RefusedRequest(nothingHere);
  if (context.method === "OPTIONS") {
    answerAllowed(context, allowed);
    return;
  }
  const headers = { Allow: listOf(allowed) };
  const detail = `${context.method} is not allowed here; allowed: ${headers.Allow}.`;
  throw new RefusedRequest(refusal(405, detail, headers));
}

/** The answer to OPTIONS. */
export function answerAllowed(context: ApiContext, allowed: readonly Method[]): void {
  context.status = 204;
  context.set("Allow", listOf(allowed));
}

const listOf = (allowed: readonly Method[]): string =>
  [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
