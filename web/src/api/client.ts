import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "../../../dist/api/schema.js";
import { session } from "./signedIn.js";

/** The messages of the API, by the names of its description. */
export type Schemas = components["schemas"];

/** Calls the API of the server that the page came from; typed by the description of its routes. */
export const api = createClient<paths>({ baseUrl: location.origin });

const tokenHeader = "X-Consistency-Token";
/** The newest write of this page: reads that follow see at least that. */
let newestWrite: string | null = null;

const reads: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Headers of a request that is made by other means than {@link api}, such as one whose answer is streamed. */
export const headersOf = (method: string): Readonly<Record<string, string>> => ({
  ...(reads.has(method)
    ? newestWrite !== null && { [tokenHeader]: newestWrite }
    : { "X-CSRF-Token": session.value?.csrf_token ?? "" }),
});

/** Takes notice of an answer to such a request. */
export function noticeAnswer(method: string, url: string, { status, headers }: Response): void {
  // Who asks for a session and has none is no surprise.
  if (status === 401 && new URL(url, location.origin).pathname !== "/api/session") session.value = null;
  if (status === 409 && reads.has(method)) newestWrite = null;
  if (!reads.has(method)) newestWrite = headers.get(tokenHeader) ?? newestWrite;
}

const middleware: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(headersOf(request.method))) request.headers.set(name, value);
    return request;
  },
  onResponse({ request, response }) {
    noticeAnswer(request.method, request.url, response);
  },
};

api.use(middleware);

interface Detail {
  readonly msg: string;
  readonly loc: readonly (string | number)[];
}

/** Programs know faults of values by it; people need not. */
const preamble = /^Value error, /;

/** What an answer says for people where a request was refused; null: it was not. */
export const faultIn = ({ error }: { readonly error?: unknown }): string | null =>
  error === undefined ? null : sentenceOf(error);

/** The sentence for people in what the API answered besides 200. */
export function sentenceOf(error: unknown): string {
  const { detail, details } = (error ?? {}) as {
    readonly detail?: string | readonly Detail[];
    readonly details?: { readonly message: string };
  };
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail))
    return detail.map(({ loc, msg }: Detail) => `${loc.slice(1).join(".")}: ${msg.replace(preamble, "")}`).join("; ");
  return details?.message ?? "The service could not be reached. Check the connection and try again.";
}
