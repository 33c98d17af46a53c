import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Koa from "koa";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { EngineUnavailable } from "../shared/engineUnavailable.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import { RefusedRequest, type Answer } from "./answer.js";
import { ApiRequest } from "./apiRequest.js";
import { authenticate } from "./authentication.js";
import { errorAnswer, invalidRequest, logUnavailable, unavailable } from "./envelopes.js";
import { MemoryBudget } from "./memoryBudget.js";
import { Metrics, type Progress } from "./metrics.js";
import { describeApi } from "./openapi/describeApi.js";
import type { DescribedRoute, Method, RouteServices } from "./route.js";
import { parseRequestTarget } from "./requestTarget.js";
import { Router, type Routing } from "./router.js";
import { auditRoutes } from "../audit/routes/audit.js";
import { auditExportRoutes } from "../audit/routes/auditExport.js";
import { auditHistoryRoutes } from "../audit/routes/auditHistory.js";
import { auditWhatIfRoutes } from "../audit/routes/auditWhatIf.js";
import { datasourceRoutes } from "./routes/datasources.js";
import { docsRoutes } from "./routes/docs.js";
import { documentRoutes } from "./routes/documents.js";
import { fileTypeRoutes } from "./routes/fileTypes.js";
import { groupRoutes } from "./routes/groups.js";
import { healthRoutes } from "./routes/health.js";
import { membershipRoutes } from "./routes/memberships.js";
import { metricsRoute } from "./routes/metrics.js";
import { credentialRoutes } from "../operations/routes/credentials.js";
import { eventRoutes } from "../operations/routes/events.js";
import { projectionRoutes } from "../operations/routes/projections.js";
import { searchRoutes } from "./routes/search.js";
import { verificationRoutes } from "../operations/routes/verification.js";
import { userRoutes } from "./routes/users.js";
import { sendAnswer, sendStream } from "./sendAnswer.js";

export interface AppDependencies extends Omit<RouteServices, "memory" | "maxBodyBytes"> {
  readonly config: Pick<Config, "maxBodyBytes" | "productName" | "role">;
  readonly logger: Logger;
  /** How far log and read models are, for `/metrics`. */
  progress(): Promise<Progress>;
}

/** Every route that the API description tells of. */
export const apiRoutes: readonly DescribedRoute[] = [
  ...datasourceRoutes,
  ...fileTypeRoutes,
  ...documentRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...membershipRoutes,
  ...searchRoutes,
  ...auditRoutes,
  ...auditExportRoutes,
  ...auditHistoryRoutes,
  ...projectionRoutes,
  ...verificationRoutes,
  ...eventRoutes,
  ...credentialRoutes,
  ...auditWhatIfRoutes,
  ...healthRoutes,
];

/** Requests to these are logged at debug level: they come every few seconds and say nothing. */
const quietPaths: ReadonlySet<string> = new Set(["/metrics", ...healthRoutes.map(({ path }) => path)]);
/** Large bodies that may be held at once, in bodies of the largest size. */
const largestBodiesAtOnce = 2;

/** The HTTP interface over commands and queries. Listens to nothing by itself: give it to `startServer`. */
export function createApp({ config, logger, progress, ...dependencies }: AppDependencies): Koa {
  const services = {
    ...dependencies,
    maxBodyBytes: config.maxBodyBytes,
    memory: new MemoryBudget(largestBodiesAtOnce * config.maxBodyBytes),
  };
  const metrics = new Metrics(progress);
  const routes =
    config.role === "projector"
      ? healthRoutes
      : [...apiRoutes, ...docsRoutes(describeApi(apiRoutes, config.productName))];
  const server = new RequestServer(services, logger, metrics, new Router([...routes, metricsRoute(metrics)]));
  const app = new Koa();
  app.on("error", (error: NodeJS.ErrnoException) => logger.debug({ err: error }, "A connection broke."));
  app.use(async (context) => {
    context.respond = false;
    await server.serve(context.req, context.res);
  });
  return app;
}

class RequestServer {
  constructor(
    private readonly services: RouteServices,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly router: Router,
  ) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const id = requestIdOf(request);
    const { url = "/", method = "GET" } = request;
    const { path, search } = parseRequestTarget(method, url);
    const routing = this.router.find(method, path);
    let answer: Answer;
    try {
      answer = await this.answer(routing, request, response, id, search);
    } catch (error) {
      answer = this.failed(error, id);
    }
    if (answer.stream === undefined) sendAnswer(request, response, answer, id);
    else await this.sendStream(request, response, answer, id);
    const route = "route" in routing ? routing.route.path : null;
    const milliseconds = performance.now() - startedAt;
    this.metrics.observe(method, route, answer.status, milliseconds / 1_000);
    this.log(route, { method, status: answer.status, requestId: id }, milliseconds);
  }

  private async answer(
    routing: Routing,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    id: string,
    search: string,
  ): Promise<Answer> {
    if (routing.kind === "unknown")
      return errorAnswer(404, "There is nothing at this address. The API is described at /docs.");
    if (routing.kind === "otherMethod") return otherMethod(incoming.method ?? "", routing.allowed);
    const { route } = routing;
    const credential =
      route.access === "open"
        ? null
        : await authenticate(incoming.headers.authorization, route.access, this.services.queries);
    if (routing.kind === "malformed") return invalidRequest([routing.issue]);
    return route.handle(
      new ApiRequest({ incoming, outgoing, id, credential, parameters: routing.parameters, search }),
      this.services,
    );
  }

  /** The status has left when making the answer fails: only the log can tell. */
  private async sendStream(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    requestId: string,
  ): Promise<void> {
    try {
      await sendStream(request, response, answer, requestId);
    } catch (error) {
      this.logger.error(
        { requestId, err: error },
        "An answer broke off: the connection was cut, so that nobody takes it for the whole.",
      );
    }
  }

  private failed(error: unknown, requestId: string): Answer {
    if (error instanceof RefusedRequest) return error.answer;
    if (error instanceof ReadModelUnavailable) {
      this.logger.warn({ requestId, err: error }, "A request was refused: what its answer rests on is not available.");
      return unavailable(error);
    }
    if (error instanceof EngineUnavailable) {
      this.logger.error({ requestId, err: error }, "A request failed: the event log is not available.");
      return logUnavailable;
    }
    this.logger.error({ requestId, err: error }, "A request failed.");
    return errorAnswer(
      500,
      `Something went wrong inside the service. It is safe to send the request again; its id is ${requestId}.`,
    );
  }

  /** The route, never the address: paths and query strings hold what people ask. */
  private log(
    route: string | null,
    line: { readonly method: string; readonly status: number; readonly requestId: string },
    milliseconds: number,
  ): void {
    const level = route !== null && quietPaths.has(route) ? "debug" : "info";
    if (!this.logger.isLevelEnabled(level)) return;
    this.logger[level]({ ...line, route, ms: Math.round(milliseconds * 1_000) / 1_000 }, "request");
  }
}

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/** Random per process, counted within it: unique without asking for randomness at every request. */
const processId = randomUUID().slice(0, 13);
let requestCount = 0;

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && saneRequestId.test(given)
    ? given
    : `${processId}-${(++requestCount).toString(36)}`;
}

function otherMethod(method: string, allowed: readonly Method[]): Answer {
  const methods = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
  const headers = ["Allow", methods.join(", ")];
  return method === "OPTIONS"
    ? { status: 204, headers }
    : errorAnswer(405, `${method} is not allowed here; allowed: ${methods.join(", ")}.`, headers);
}
