import KoaRouter, { RouterEvents } from "@koa/router";
import type { ApiMiddleware, RequestState } from "./apiContext.js";
import { authenticated, provenStill } from "./middleware/authentication.js";
import { limitRate } from "./middleware/rateLimit.js";
import { checkPath, checkQuery } from "./middleware/checkParameters.js";
import { answerToken, readToken } from "./middleware/consistency.js";
import { unrouted } from "./middleware/unrouted.js";
import type { DescribedRoute, Method, Route } from "./route.js";
import type { RouteServices } from "./routeServices.js";

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
  const { path, access, params = [], query, body, isConsistent = false } = route;
  const { description } = route as Partial<DescribedRoute>;
  return [
    named(path),
    ...(access === "open" ? [] : [authenticated({ access, doing: description?.doing }), limitRate]),
    ...(params.length === 0 ? [] : [checkPath(route)]),
    ...(query === undefined ? [] : [checkQuery(query)]),
    ...(body === undefined ? [] : [...body.read, provenStill]),
    ...(isConsistent ? [readToken] : []),
    ...(description?.success.carriesToken === true ? [answerToken] : []),
    (context) => {
      const { params: given, query: question, body: message } = context.state;
      return route.handle(context, { params: given, query: question, body: message });
    },
  ];
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
