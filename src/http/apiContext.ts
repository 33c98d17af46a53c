import { Readable } from "node:stream";
import type Koa from "koa";
import type { CommandContext } from "../../commands/commands.js";
import type { Caller } from "../readModels/credentials.js";
import { toEmail, type CredentialId, type Email } from "../shared/ids.js";
import type { Language } from "../shared/texts.js";
import type { Position } from "../shared/position.js";
import type { RouteServices } from "./routeServices.js";

/** What middleware finds out about a request, for the middleware and the handler after it. */
export interface RequestState {
  /** Correlates log lines, events and the answer. */
  requestId: string;
  /** Path of the route in the API description; undefined where no route matches. */
  route?: string;
  /** Undefined on open routes. */
  credential?: Caller;
  /** To be called once the body is there. Undefined where none is awaited. */
  bodyIsThere?: () => void;
  /** When the caller was proven, on the clock of `performance.now()`. */
  provenAt?: number;
  /** Proves the caller once more, as of now; refuses as at the beginning. Undefined on open routes. */
  proveAgain?: () => Promise<void>;
  /** Where the caller is signed in: by which session. */
  session?: { readonly id: CredentialId; readonly csrfToken: string; readonly expiresAt: string };
  /** The parameters of the path, decoded and checked. */
  params: Readonly<Record<string, string>>;
  /** The query string, checked by the route's `query`. */
  query?: unknown;
  /** The body, checked by the route's `body`. */
  body?: unknown;
  /** The position that a read has to have reached; null: the client named none. */
  atLeast: Position | null;
  /** The position of the newest event that the answer rests on; becomes `X-Consistency-Token`. */
  position: Position | null;
}

export type ApiContext = Koa.ParameterizedContext<RequestState, { readonly services: RouteServices }>;
export type ApiMiddleware = Koa.Middleware<RequestState, { readonly services: RouteServices }>;

/** The caller's credential. For routes that are not open. */
export function credentialOf({ state: { credential } }: ApiContext): Caller {
  if (credential === undefined) throw new Error("A route without authentication asked who is calling.");
  return credential;
}

/** The caller on whose behalf a command is given. */
export function commandContextOf(context: ApiContext): CommandContext {
  const { id, datasources } = credentialOf(context);
  const { requestId: correlationId } = context.state;
  return { by: id, correlationId, allowedDatasources: datasources, isAbandoned: () => context.res.closed };
}

/** The searching person: the one who is signed in, or to whom the personal key is bound. */
export const personOf = (context: ApiContext): Email => toEmail(credentialOf(context).email ?? "");

/** The person who searches, and the language that their key was made with, where it was made with one. */
export function searcherOf(context: ApiContext): { readonly person: Email; readonly language?: Language } {
  const { language } = credentialOf(context);
  return { person: personOf(context), ...(language && { language }) };
}

/** Aborts where the client goes away before it has its whole answer. */
export function clientGone({ res }: ApiContext, reason?: Error): AbortSignal {
  const gone = new AbortController();
  if (res.closed) gone.abort(reason);
  res.once("close", () => gone.abort(reason));
  return gone.signal;
}

/** Calls back once the answer is there; where it is a stream, once the last of it has left or the client is gone. */
export function whenAnswered({ body, res }: ApiContext, then: () => void): void {
  if (body instanceof Readable) res.once("close", then);
  else then();
}
