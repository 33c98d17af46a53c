import { Readable } from "node:stream";
import Koa from "koa";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import type { ApiContext, RequestState } from "./apiContext.js";
import { compatibleBase, notFunctionalRoutes } from "../chat/routes/notFunctional.js";
import { apiRoutes } from "./apiRoutes.js";
import { MemoryBudget } from "./body/memoryBudget.js";
import { SearchBacklog, type IsSearchable } from "./body/searchBacklog.js";
import { Metrics, type ModelsInUse, type Progress } from "./metrics.js";
import { accessLog } from "./middleware/accessLog.js";
import { answerTogether } from "./middleware/answerTogether.js";
import { answerHeaders } from "./middleware/answerHeaders.js";
import { compressAnswers } from "./middleware/compressAnswers.js";
import { compatibleEnvelopes } from "./middleware/compatibleEnvelopes.js";
import { errors, refusalOf } from "./middleware/errors.js";
import { limitRequests } from "./middleware/limitRequests.js";
import { observeRequests } from "./middleware/observeRequests.js";
import { requestHead } from "./middleware/requestHead.js";
import { requestId } from "./middleware/requestId.js";
import { requestTarget } from "./middleware/requestTarget.js";
import { unreadBody } from "./middleware/unreadBody.js";
import { describeApi } from "./openapi/describeApi.js";
import { RateLimits } from "./rateLimits.js";
import { RefusedRequest } from "./refusedRequest.js";
import type { RequestsUnderWay } from "../shared/requestsUnderWay.js";
import { Turns } from "../shared/turns.js";
import { createRouter, methodsOf } from "./router.js";
import type { RouteServices } from "./routeServices.js";
import { docsRoutes } from "./routes/docs.js";
import { healthRoutes } from "./routes/health.js";
import { identityProviderRoutes } from "./routes/identityProvider.js";
import { metricsRoute } from "./routes/metrics.js";
import { pageRoutes } from "./routes/pages.js";

export interface AppDependencies extends Omit<
  RouteServices,
  | "memory"
  | "searchBacklog"
  | "replacements"
  | "rateLimits"
  | "maxBodyBytes"
  | "maxBinaryBytes"
  | "maxUploadBytes"
  | "productName"
  | "publicUrl"
  | "refusalOf"
  | "underWay"
> {
  readonly config: Pick<
    Config,
    | "maxBodyBytes"
    | "maxBinaryBytes"
    | "maxUploadBytes"
    | "metricsToken"
    | "productName"
    | "publicUrl"
    | "rateLimitPerMinute"
    | "role"
    | "trustedProxies"
  >;
  readonly logger: Logger;
  readonly isSearchable: IsSearchable;
  /** How far log and read models are, for `/metrics`. */
  progress(): Promise<Progress>;
  /** What is told of requests to whoever watches this thread, and how often that has ended a process. Left out: nobody does. */
  readonly watchdog?: { readonly underWay: RequestsUnderWay; readonly ends: number };
  /** The models of searches, for `/metrics`. Left out: there are none. */
  readonly models?: ModelsInUse;
}

/** Requests to these come every few seconds and say nothing. */
const quietPaths: ReadonlySet<string> = new Set(["/metrics", ...healthRoutes.map(({ path }) => path)]);
/** Large bodies that may be held at once, in bodies of the largest size. */
const largestBodiesAtOnce = 2;
const mostRequestsUnderWay = 1_000;

/** The HTTP interface over commands and queries. Listens to nothing by itself: give it to `startServer`. */
export function createApp({
  config,
  logger,
  progress,
  models,
  isSearchable,
  watchdog,
  ...dependencies
}: AppDependencies): Koa {
  const services: RouteServices = {
    ...dependencies,
    underWay: watchdog?.underWay ?? null,
    publicUrl: config.publicUrl,
    refusalOf: refusalOf(logger),
    maxBodyBytes: config.maxBodyBytes,
    maxBinaryBytes: config.maxBinaryBytes,
    maxUploadBytes: config.maxUploadBytes,
    memory: new MemoryBudget(largestBodiesAtOnce * config.maxBodyBytes, config.maxBodyBytes),
    searchBacklog: new SearchBacklog(isSearchable),
    replacements: new Turns(),
    rateLimits: new RateLimits(config.rateLimitPerMinute),
    productName: config.productName,
  };
  const metrics = new Metrics(progress, dependencies.disk, models);
  if (watchdog !== undefined) metrics.tellWatchdogEnds(watchdog.ends);
  const served =
    config.role === "projector"
      ? healthRoutes
      : [
          ...apiRoutes,
          ...notFunctionalRoutes,
          ...identityProviderRoutes,
          ...docsRoutes(() => describeApi(apiRoutes, config.productName)),
          ...pageRoutes(),
        ];
  const routes = [...served, metricsRoute(metrics, config.metricsToken)];
  const app = new Koa<RequestState, { services: RouteServices }>();
  app.context.services = services;
  app.proxy = config.trustedProxies > 0;
  app.maxIpsCount = config.trustedProxies;
  app.on("error", (error: NodeJS.ErrnoException, context?: ApiContext) => logBroken(error, context, logger));
  app.use(answerTogether);
  app.use(requestId);
  app.use(answerHeaders);
  app.use(unreadBody);
  app.use(compressAnswers);
  app.use(accessLog(logger, quietPaths));
  app.use(observeRequests(metrics));
  app.use(compatibleEnvelopes(compatibleBase));
  app.use(errors(logger));
  app.use(limitRequests(mostRequestsUnderWay, quietPaths));
  app.use(requestHead);
  app.use(requestTarget(methodsOf(routes)));
  app.use(createRouter(routes));
  return app as unknown as Koa;
}

/** What went wrong after the status has left: only the log can tell. */
function logBroken(error: NodeJS.ErrnoException, context: ApiContext | undefined, logger: Logger): void {
  // Of somebody who may no more: the connection was cut so that nobody takes the answer for the whole.
  const isOurs =
    !(error instanceof RefusedRequest) &&
    context?.body instanceof Readable &&
    context.body.errored === error &&
    error.code !== "ERR_STREAM_PREMATURE_CLOSE";
  if (!isOurs) {
    logger.debug({ err: error }, "A connection broke.");
    return;
  }
  logger.error(
    { requestId: context.state.requestId, err: error },
    "An answer broke off: the connection was cut, so that nobody takes it for the whole.",
  );
}
