import { withTimeout as withTimeoutOrElse } from "../../../shared/withTimeout.js";

/** Fails after this many milliseconds, whatever the promise does; its later outcome is ignored. */
export const withTimeout = <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> =>
  withTimeoutOrElse(milliseconds, promise, () => new Error(`no answer within ${Math.round(milliseconds)} ms`));
