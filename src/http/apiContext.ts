import { Readable } from "node:stream";
import type Koa from "koa";
import type { CommandContext } from "../../commands/commands.js";
import type { CredentialRecord } from "../readModels/credentials.js";
import { toEmail, type Email } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { RouteServices } from "./routeServices.js";

/** What middleware finds out about a request, and leaves for what comes behind it. */
export interface RequestState {
  /** Correlates log lines, events and the answer. */
  requestId: string;
  /** Path of the route, as the API description names it; undefined where nothing is routed to. */
  route?: string;
  /** Undefined on open routes. */
  credential?: CredentialRecord;
  /** Of the path, decoded and checked. */
  params: Readonly<Record<string, string>>;
  /** Of the query string, checked by the route's `query`. */
  query?: unknown;
  /** Checked by the route's `body`. */
  body?: unknown;
  /** What a read has to have seen; null where the client asks for nothing. */
  atLeast: Position | null;
  /** Of the newest event that the answer rests on; becomes `X-Consistency-Token`. */
  position: Position | null;
}

export type ApiContext = Koa.ParameterizedContext<RequestState, { readonly services: RouteServices }>;
export type ApiMiddleware = Koa.Middleware<RequestState, { readonly services: RouteServices }>;

/** Who calls. For routes that are not open. */
export function credentialOf({ state: { credential } }: ApiContext): CredentialRecord {
  if (credential === undefined) throw new Error("A route without authentication asked who is calling.");
  return credential;
}

/** On whose behalf a command is given. */
export function commandContextOf(context: ApiContext): CommandContext {
  const { id, datasources } = credentialOf(context);
  return { by: id, correlationId: context.state.requestId, allowedDatasources: datasources };
}

/** The searching person: whom the personal key is bound to. */
export const personOf = (context: ApiContext): Email => toEmail(credentialOf(context).email ?? "");

/** Aborts where the client goes away before it has its whole answer. */
export function clientGone({ res }: ApiContext): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return gone.signal;
}

/** Calls back once the answer is there; where it is a stream, once the last of it has left or the client is gone. */
export function whenAnswered({ body, res }: ApiContext, then: () => void): void {
  if (body instanceof Readable) res.once("close", then);
  else then();
}
