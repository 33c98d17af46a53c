import { decodePercent, notDecodable } from "../validation/queryString.js";
import { valueError, type Issue } from "../validation/issue.js";
import type { Method, Route } from "./route.js";

export type Routing =
  | { readonly kind: "found"; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: "unknown" }
  /** The path exists, for other methods; or the service as a whole is asked what it allows (`OPTIONS *`). */
  | { readonly kind: "otherMethod"; readonly allowed: readonly Method[] }
  /** A segment's percent-encoding is malformed. */
  | { readonly kind: "malformed"; readonly route: Route; readonly issue: Issue };

interface Pattern {
  readonly segments: readonly { readonly text: string; readonly parameter: string | null }[];
  readonly routes: Map<string, Route>;
}

const noParameters = {};
const unknown: Routing = { kind: "unknown" };

/**
 * Finds the route of a method and a raw path. Segments are split before they are decoded, so that `%2F` is part of a
 * segment. Paths without parameters are one look-up; a fixed segment wins over a parameter.
 */
export class Router {
  private readonly fixed = new Map<string, Pattern>();
  private readonly withParameters: Pattern[] = [];
  private readonly methods: readonly Method[];

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.patternOf(route.path).routes.set(route.method, route);
    this.methods = [...new Set(routes.map(({ method }) => method))];
  }

  find(method: string, path: string): Routing {
    if (path === "*" && method === "OPTIONS") return { kind: "otherMethod", allowed: this.methods };
    const fixed = this.fixed.get(path);
    if (fixed !== undefined) return this.choose(fixed, method, noParameters);
    const segments = path.split("/");
    const pattern = this.withParameters.find((candidate) => matches(candidate, segments));
    if (pattern === undefined) return unknown;
    const routing = this.choose(pattern, method, {});
    return routing.kind === "found" ? withParameters(routing.route, pattern, segments) : routing;
  }

  private choose(pattern: Pattern, method: string, parameters: Readonly<Record<string, string>>): Routing {
    const route = pattern.routes.get(method) ?? (method === "HEAD" ? pattern.routes.get("GET") : undefined);
    if (route !== undefined) return { kind: "found", route, parameters };
    return { kind: "otherMethod", allowed: [...pattern.routes.values()].map((known) => known.method) };
  }

  private patternOf(path: string): Pattern {
    const known = this.fixed.get(path) ?? this.withParameters.find((pattern) => textOf(pattern) === path);
    if (known !== undefined) return known;
    const segments = path.split("/").map((text) => ({ text, parameter: /^\{(\w+)\}$/.exec(text)?.[1] ?? null }));
    const pattern: Pattern = { segments, routes: new Map() };
    if (segments.every(({ parameter }) => parameter === null)) this.fixed.set(path, pattern);
    else this.withParameters.push(pattern);
    return pattern;
  }
}

const textOf = ({ segments }: Pattern): string => segments.map(({ text }) => text).join("/");

const matches = ({ segments }: Pattern, given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every(({ text, parameter }, index) => parameter !== null || text === given[index]);

function withParameters(route: Route, pattern: Pattern, segments: readonly string[]): Routing {
  const parameters: Record<string, string> = {};
  for (const [index, { parameter }] of pattern.segments.entries()) {
    if (parameter === null) continue;
    const value = decodePercent(segments[index] ?? "");
    if (value === undefined) return { kind: "malformed", route, issue: valueError(["path", parameter], notDecodable) };
    parameters[parameter] = value;
  }
  return { kind: "found", route, parameters };
}
