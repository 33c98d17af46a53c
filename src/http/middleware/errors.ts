import type { Logger } from "pino";
import { ClockBehind, DiskFull, EngineUnavailable } from "../../shared/engineUnavailable.js";
import { ExtractionBusy } from "../../shared/extractionBusy.js";
import { ReadModelUnavailable } from "../../shared/readModelUnavailable.js";
import { WebSearchUnavailable } from "../../shared/webSearchUnavailable.js";
import type { ApiMiddleware } from "../apiContext.js";
import { clockIsBehind, diskFull, logUnavailable, notNow, refusal, unavailable } from "../envelopes.js";
import { RefusedRequest, type RefusalOf } from "../refusedRequest.js";

/** Answers what was thrown: a refusal with its envelope, anything else with what the client can do about it. */
export function errors(logger: Logger): ApiMiddleware {
  const refuse = refusalOf(logger);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof DiskFull) context.services.disk.noteFull();
      const { status, body, headers = {} } = refuse(error, context.state.requestId);
      context.status = status;
      context.body = body;
      context.set(headers);
    }
  };
}

/** What {@link errors} answers with, for those who answer in another form. */
export const refusalOf =
  (logger: Logger): RefusalOf =>
  (error, requestId) => {
    if (error instanceof RefusedRequest) return error.refusal;
    if (error instanceof ReadModelUnavailable) {
      logger.warn({ requestId, err: error }, "A request was refused: what its answer rests on is not available.");
      return unavailable(error);
    }
    if (error instanceof ExtractionBusy) {
      logger.warn({ requestId }, "A request was refused: its file cannot be read at the moment.");
      return notNow(error);
    }
    if (error instanceof WebSearchUnavailable) {
      logger.warn({ requestId, because: error.message }, "A request was refused: the web cannot be searched.");
      return notNow(error);
    }
    if (error instanceof DiskFull) {
      logger.error({ requestId, err: error }, "A request failed: the disk of the data folder is full.");
      return diskFull;
    }
    if (error instanceof ClockBehind) {
      logger.error({ requestId, err: error }, "A request failed: the clock of this machine is behind the log.");
      return clockIsBehind(error.message);
    }
    if (error instanceof EngineUnavailable) {
      logger.error({ requestId, err: error }, "A request failed: the event log is not available.");
      return logUnavailable;
    }
    logger.error({ requestId, err: error }, "A request failed.");
    return refusal(
      500,
      `Something went wrong inside the service. It is safe to send the request again; its id is ${requestId}.`,
    );
  };
