import { within as withinOrElse } from "../../../shared/within.js";

/** Fails after this many milliseconds, whatever the promise does; its later outcome is ignored. */
export const within = <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> =>
  withinOrElse(milliseconds, promise, () => new Error(`no answer within ${Math.round(milliseconds)} ms`));
