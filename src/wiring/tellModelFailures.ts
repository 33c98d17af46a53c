import type { Logger } from "pino";
import { RepeatedErrors } from "../logging/repeatedErrors.js";
import { ModelServerFailure } from "../shared/modelCalls.js";

/** Warns of failures; those that keep coming get a line once in a while. Nothing of what was sent is in it. */
export function tellingOf(logger: Logger, sentence: string): (failure: unknown) => void {
  const repeated = new RepeatedErrors();
  return (failure) => {
    const isServers = failure instanceof ModelServerFailure;
    const suppressed = repeated.note(isServers ? failure.trouble : String(failure));
    if (suppressed === null) return;
    const because = isServers ? { because: failure.message } : { err: failure };
    logger.warn({ ...because, ...(suppressed > 0 && { suppressed }) }, sentence);
  };
}
