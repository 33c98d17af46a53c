import { Readable } from "node:stream";
import Koa from "koa";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import type { ApiContext, RequestState } from "./apiContext.js";
import type { Feature } from "./route.js";
import { SearchBacklog, type IsSearchable, UploadQuotas, RequestShares, RateLimits } from "./limits.js";
import { Metrics, type ModelsInUse, type Progress, metricsRoute } from "./metrics.js";
import {
  accessLog,
  answerTogether,
  requestHead,
  nameRequest,
  requestTarget,
  answerHeaders,
  unreadBody,
  observeRequests,
  errors,
  refusalOf,
  secondEnvelopes,
  compressAnswers,
} from "./edge.js";
import { valueOf } from "./envelopes.js";
import { describeApi } from "./openapi/describeApi.js";
import { RefusedRequest } from "./refusedRequest.js";
import type { RequestsUnderWay } from "../shared/requestsUnderWay.js";
import { Turns } from "../shared/waiting.js";
import { createRouter, methodsOf } from "./router.js";
import type { RouteServices } from "./routeServices.js";
import { docsRoutes } from "./routes/docs.js";
import { healthRoutes } from "./routes/health.js";
import { identityProviderRoutes } from "./routes/identityProvider.js";
import { pageRoutes } from "./routes/pages.js";

export interface AppDependencies extends Omit<
  RouteServices,
  | "shares"
  | "uploadQuotas"
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
    | "maxFilesOfPerson"
    | "maxFileBytesOfPerson"
    | "metricsToken"
    | "productName"
    | "publicUrl"
    | "rateLimitPerMinute"
    | "role"
    | "trustedProxies"
  >;
  readonly logger: Logger;
  /** What the service is made of. */
  readonly features: readonly Feature[];
  readonly isSearchable: IsSearchable;
  /** How far log and read models are, for `/metrics`. */
  progress(): Promise<Progress>;
  /**
   * What the watcher of this thread learns of requests, and how often it has ended a process. Left out: nobody does.
   */
  readonly watchdog?: { readonly underWay: RequestsUnderWay; readonly ends: number };
  /** The models of searches, for `/metrics`. Left out: there are none. */
  readonly models?: ModelsInUse;
}

/** The HTTP interface over commands and queries. Listens to nothing by itself: give it to `startServer`. */
export function createApp({
  config,
  logger,
  features,
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
    uploadQuotas: new UploadQuotas(
      { files: config.maxFilesOfPerson, bytes: config.maxFileBytesOfPerson },
      async (owner) => valueOf(await dependencies.files.usage(owner)),
    ),
    shares: new RequestShares(config.maxBodyBytes),
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
          ...features.flatMap(({ routes: described }) => described),
          ...features.flatMap(({ undescribedRoutes = [] }) => undescribedRoutes),
          ...identityProviderRoutes,
          ...docsRoutes(() => describeApi(features, config.productName)),
          ...pageRoutes(),
        ];
  const routes = [...served, metricsRoute(metrics, config.metricsToken)];
  const probes = new Set(routes.filter(({ isProbe }) => isProbe).map(({ path }) => path));
  const app = new Koa<RequestState, { services: RouteServices }>();
  app.context.services = services;
  app.proxy = config.trustedProxies > 0;
  app.maxIpsCount = config.trustedProxies;
  app.on("error", (error: NodeJS.ErrnoException, context?: ApiContext) => logBroken(error, context, logger));
  app.use(answerTogether);
  app.use(nameRequest);
  app.use(answerHeaders);
  app.use(unreadBody);
  app.use(compressAnswers);
  app.use(accessLog(logger, probes));
  app.use(observeRequests(metrics));
  app.use(secondEnvelopes(features.flatMap(({ envelope }) => envelope ?? [])));
  app.use(errors(logger));
  app.use(requestHead);
  app.use(requestTarget(methodsOf(routes)));
  app.use(createRouter(routes));
  return app as unknown as Koa;
}

/** Logs an error that comes after the status has left: no answer can carry it. */
function logBroken(error: NodeJS.ErrnoException, context: ApiContext | undefined, logger: Logger): void {
  // A caller who may no longer read is refused by cutting the connection, so that nobody takes the answer for the
  // whole.
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
