import type { CommandContext } from "../../../../commands/commands.js";
import { isCommandRoute, type CommandRoute } from "../../../http/commandRoute.js";
import { checked, refusal, valueOf } from "../../../http/envelopes.js";
import { paramsReader } from "../../../http/middleware/checkParameters.js";
import { localTarget } from "../../../http/middleware/requestTarget.js";
import { RefusedRequest } from "../../../http/refusedRequest.js";
import type { DescribedRoute } from "../../../http/route.js";
import { createRouteFinder, type FindRoute } from "../../../http/router.js";
import type { RouteServices } from "../../../http/routeServices.js";
import { parseQueryString } from "../../../http/validation/queryString.js";
import type { TriedOutcome, TriedRequest } from "../../auditQueries.js";
import { withText } from "./withText.js";

/** What requests are tried with: commands on a log that forgets. */
export type TrialServices = Pick<RouteServices, "commands" | "intake">;

/** The routes whose requests can be tried: those of the Indexing API that give one command. */
export const isTriable = (route: DescribedRoute): route is CommandRoute =>
  isCommandRoute(route) && route.access === "serviceAccount";

/** Gives the commands that requests ask for, one after the other; `services` decide what comes of it. */
export async function tryRequests(
  requests: readonly TriedRequest[],
  routes: readonly DescribedRoute[],
  services: TrialServices,
  context: CommandContext,
): Promise<TriedOutcome[]> {
  const find = createRouteFinder(routes);
  const outcomes: TriedOutcome[] = [];
  for (const request of requests) {
    const { status, body } = await answerOf(request, find, services, context);
    outcomes.push({ method: request.method, path: request.path, status, detail: detailOf(body) });
  }
  return outcomes;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answerOf(
  request: TriedRequest,
  find: FindRoute<DescribedRoute>,
  services: TrialServices,
  context: CommandContext,
): Promise<Answer> {
  try {
    return { status: 200, body: await carriedOut(request, find, services, context) };
  } catch (error) {
    if (error instanceof RefusedRequest) return error.refusal;
    throw error;
  }
}

async function carriedOut(
  request: TriedRequest,
  find: FindRoute<DescribedRoute>,
  { commands, intake }: TrialServices,
  context: CommandContext,
): Promise<unknown> {
  const [path = "", ...search] = localTarget(request.path).split("?");
  const route = find(request.method.toUpperCase(), path);
  if (route === null || !isTriable(route)) throw notTried(route?.whyNotTried);
  const params = paramsReader(route)(path);
  const query = route.query && checked(route.query.check(checked(parseQueryString(search.join("?")))));
  const body = route.body && checked(await route.body.check(withText(path, request.body), { intake }));
  const command = route.toCommand({ params, query, body });
  return route.toAnswer(valueOf(await route.run(command, context, commands)).value, command);
}

const notTried = (why: string | undefined): RefusedRequest =>
  new RefusedRequest(
    why === undefined
      ? refusal(404, "Only requests of the Indexing API that change something can be tried.")
      : refusal(501, why),
  );

/** One line about an answer of the API, whichever it is (spec: Errors, Document index result). */
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
