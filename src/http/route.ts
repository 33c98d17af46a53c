import type { ParameterDescription, QueryParameters } from "./validation/parameters.js";
import type { Checked, MessageSchema } from "./validation/message.js";
import type { ApiContext, ApiMiddleware } from "./apiContext.js";
import type { Access } from "./access.js";
import type { Refusal } from "./refusedRequest.js";
import type { RouteServices } from "./routeServices.js";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A parameter of the path. */
export interface PathParameter {
  readonly description: ParameterDescription;
  /** It is the rest of the path, with all of its segments. */
  readonly isRest?: true;
  /**
   * Its segment may be empty: what that means is the route's business. Left out: there is nothing at such an address.
   */
  readonly mayBeEmpty?: true;
  /** What a request gets where the decoded parameter cannot be right; null: nothing is wrong with it. */
  refusalOf(text: string): Refusal | null;
}

/** A body that a route takes, with the media type that it takes it in. */
export interface RequestBody<Body> {
  /** `application/json` where left out. */
  readonly mediaType?: string;
  readonly message: MessageSchema;
  /** What it holds of memory at most while it comes. */
  readonly mostBytes: number;
  /** Reads the body, which nothing before has touched, checks it, and leaves it in `context.state.body`. */
  readonly read: readonly ApiMiddleware[];
  /** The same check, of a body that is at hand as a JSON value; undefined where there is none. */
  check(value: unknown, services: Pick<RouteServices, "intake">): Checked<Body> | Promise<Checked<Body>>;
}

/** How the API description tells of a route. */
export interface RouteDescription {
  /** The heading of {@link Feature.tags} under which it is told of. */
  readonly tag: string;
  readonly summary: string;
  /** What is done there, as the beginning of a sentence of who may not: "Creating service accounts". */
  readonly doing?: string;
  readonly description?: string;
  /** An example of the body. */
  readonly example?: unknown;
  /** Headers that are said with it; each schema has an example. */
  readonly headers?: readonly ParameterDescription[];
  readonly success: {
    readonly description: string;
    readonly schema: MessageSchema;
    readonly example?: unknown;
    readonly carriesToken?: true;
    /** `application/json` where left out. */
    readonly mediaType?: string;
    /** What it may be as well, by media type. */
    readonly also?: Readonly<Record<string, MessageSchema>>;
  };
  /** Besides 401, 422 and 500: status and when. */
  readonly failures?: Readonly<Record<number, string>>;
  /** What the failures say; a sentence where left out. */
  readonly failure?: MessageSchema;
  /** What a 422 may say besides the standard envelope. */
  readonly otherInvalid?: MessageSchema;
  /** What takes the place of the spec's envelopes in all that is refused. */
  readonly envelopes?: { readonly sentence: MessageSchema; readonly invalid: MessageSchema };
}

/** What was asked: parameters of the path by name, the query string, the body; decoded and checked. */
export interface CheckedRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** The names in the braces of a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters that a path has. */
export type ParamsOf<Path extends string> = { readonly [Name in NamesIn<Path>]: string };

/** Where a route is, who may call it, and what it takes. Its checks go in this order. */
export interface RouteHead<Path extends string = string, Query = unknown, Body = unknown> {
  readonly method: Method;
  /** `{name}` stands for one segment. */
  readonly path: Path;
  readonly access: Access;
  /** One for each name in the path, in order. */
  readonly params?: readonly PathParameter[];
  /** Left out: the query string is not looked at. */
  readonly query?: QueryParameters<Query>;
  /** Left out: a body is not read. */
  readonly body?: RequestBody<Body>;
  /** It is asked every few seconds, says nothing, and is answered however busy the service is. */
  readonly isProbe?: true;
  /** The read sees what the client's `X-Consistency-Token` stands for: `context.state.atLeast`. */
  readonly isConsistent?: true;
}

/** A place of the HTTP interface, and what is done there. */
export interface Route<Path extends string = string, Query = unknown, Body = unknown> extends RouteHead<
  Path,
  Query,
  Body
> {
  /** Sets `context.body`, and `context.status` where it is not 200. Throws a `RefusedRequest` to refuse. */
  handle(context: ApiContext, request: CheckedRequest<ParamsOf<Path>, Query, Body>): Promise<void> | void;
}

/** A route that the API description tells of. */
export interface DescribedRoute<Path extends string = string, Query = unknown, Body = unknown> extends Route<
  Path,
  Query,
  Body
> {
  readonly description: RouteDescription;
  /**
   * For what changes something and gives no single command: why a what-if does not try it, and what it tries instead.
   */
  readonly whyNotTried?: string;
}

/** Defines a route: lets the compiler find its parameters, query and body out for `handle`. */
export const route = <const Path extends string, Query = undefined, Body = undefined>(
  definition: DescribedRoute<Path, Query, Body>,
): DescribedRoute => definition;

/** A part of the service, as HTTP sees it. */
export interface Feature {
  /** The routes that the API description names, in its order. */
  readonly routes: readonly DescribedRoute[];
  /** The headings of the description, each with what it says. */
  readonly tags: Readonly<Record<string, string>>;
  readonly undescribedRoutes?: readonly Route[];
  /** What stands beside the service's own envelope in all that is refused below an address. */
  readonly envelope?: SecondEnvelope;
}

/** An envelope for the clients of another API, which read no other. */
export interface SecondEnvelope {
  /** The address below which it stands. */
  readonly base: string;
  /** Made from the first: a sentence, or what is wrong with a request. */
  toError(status: number, detail: unknown): object;
}
