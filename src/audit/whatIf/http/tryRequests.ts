import { Readable } from "node:stream";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TriedOutcome, TriedRequest } from "../../auditQueries.js";
import { RefusedRequest, type Answer } from "../../../http/answer.js";
import { ApiRequest } from "../../../http/apiRequest.js";
import { errorAnswer, invalidRequest } from "../../../http/envelopes.js";
import { parseRequestTarget } from "../../../http/requestTarget.js";
import type { DescribedRoute, RouteServices } from "../../../http/route.js";
import { Router } from "../../../http/router.js";
import type { TrialContext } from "./trial.js";
import { withText } from "./withText.js";

/** What the routes work with whose requests can be tried: commands answer them, and no question is asked. */
export type TrialServices = Pick<RouteServices, "commands" | "intake" | "memory" | "maxBodyBytes" | "settle">;

/** The routes whose requests can be tried: those of the Indexing API that change something. */
export const triableRoutes = (routes: readonly DescribedRoute[]): readonly DescribedRoute[] =>
  routes.filter(({ access, description }) => access === "serviceAccount" && description.success.carriesToken === true);

/** Hands requests to the very handlers of the API, one after the other; `services` decide what comes of it. */
export async function tryRequests(
  requests: readonly TriedRequest[],
  routes: readonly DescribedRoute[],
  services: TrialServices,
  context: TrialContext,
): Promise<TriedOutcome[]> {
  const router = new Router(triableRoutes(routes));
  const outcomes: TriedOutcome[] = [];
  for (const request of requests) {
    const answer = await answerOf(request, router, services, context);
    outcomes.push({ method: request.method, path: request.path, status: answer.status, detail: detailOf(answer.body) });
  }
  return outcomes;
}

async function answerOf(
  request: TriedRequest,
  router: Router,
  services: TrialServices,
  { credential, requestId }: TrialContext,
): Promise<Answer> {
  const method = request.method.toUpperCase();
  const { path, search } = parseRequestTarget(method, request.path);
  const routing = router.find(method, path);
  if (routing.kind === "malformed") return invalidRequest([routing.issue]);
  if (routing.kind !== "found")
    return errorAnswer(404, "Only requests of the Indexing API that change something can be tried.");
  const incoming = incomingOf(method, withText(path, request.body));
  try {
    return await routing.route.handle(
      new ApiRequest({ incoming, outgoing, id: requestId, credential, parameters: routing.parameters, search }),
      services as RouteServices,
    );
  } catch (error) {
    if (error instanceof RefusedRequest) return error.answer;
    throw error;
  }
}

/** Nothing of a request that is tried goes over the wire. */
const outgoing = {} as ServerResponse;

function incomingOf(method: string, body: unknown): IncomingMessage {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const headers = { "content-type": "application/json", "content-length": String(bytes.length) };
  return Object.assign(Readable.from([bytes], { objectMode: false }), {
    method,
    headers,
  }) as unknown as IncomingMessage;
}

/** In one line, whichever of the API's answers it is (spec: Errors, Document index result). */
function detailOf(body: unknown): string | null {
  const { detail, details, results } = (body ?? {}) as {
    detail?: unknown;
    details?: { message?: unknown };
    results?: readonly { document_id: string; message: string }[];
  };
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail))
    return (detail as readonly { loc: unknown[]; msg: string }[])
      .map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
      .join("; ");
  if (typeof details?.message === "string") return details.message;
  return results === undefined ? null : results.map((result) => `${result.document_id}: ${result.message}`).join(" ");
}
