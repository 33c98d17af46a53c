import { randomInt } from "node:crypto";

/** Of all random data of this run of the tests: the summary tells it, and `FC_SEED` repeats it. */
export const runSeed = process.env["FC_SEED"] === undefined ? randomInt(2 ** 31) : Number(process.env["FC_SEED"]);

// Processes that run tests for this one (`mocha --parallel`) inherit it.
process.env["FC_SEED"] = String(runSeed);

/**
 * Settings of a fast-check property. A failure prints seed and path; `FC_SEED` and `FC_PATH` replay it.
 */
export function propertyRuns(numRuns: number): {
  readonly numRuns: number;
  readonly seed: number;
  readonly path?: string;
} {
  const { FC_PATH: path } = process.env;
  return { numRuns, seed: runSeed, ...(path === undefined ? {} : { path }) };
}
