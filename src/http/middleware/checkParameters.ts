import { valueError } from "../validation/issue.js";
import type { ConsistencyTokens } from "../../shared/consistencyTokens.js";
import { decodePercent, notDecodable, parseQueryString, type QueryString } from "../validation/queryString.js";
import type { ApiMiddleware } from "../apiContext.js";
import { checked, invalidRequest } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { QueryParameters, Route } from "../route.js";

/** Checks the parameters of the path. */
export function checkPath(route: Pick<Route, "path" | "params">): ApiMiddleware {
  const paramsIn = paramsReader(route);
  return (context, next) => {
    context.state.params = paramsIn(context.path);
    return next();
  };
}

/** Checks the query string. */
export const checkQuery =
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
 * anything is decoded, so that `%2F` is part of a segment; an empty segment is an empty text, and the rest of a path is all
 * that follows, but for a slash at its end.
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
      const refusal = refusalOf(decoded[index]?.[1] ?? "");
      if (refusal !== null) throw new RefusedRequest(refusal);
    }
    return Object.fromEntries(decoded);
  };
}

function decode(name: string, segment: string): string {
  const text = decodePercent(segment);
  if (text === undefined) throw new RefusedRequest(invalidRequest([valueError(["path", name], notDecodable)]));
  return text;
}
