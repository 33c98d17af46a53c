import { within as withinOrElse } from "../../../shared/within.js";

/** Fails after so many milliseconds, whatever the promise does; what becomes of it later is nobody's concern. */
export const within = <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> =>
  withinOrElse(milliseconds, promise, () => new Error(`no answer within ${Math.round(milliseconds)} ms`));
