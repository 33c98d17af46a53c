/**
 * Settings of a fast-check property. A failure prints seed and path; `FC_SEED` and `FC_PATH` replay it.
 */
export function propertyRuns(numRuns: number): { readonly numRuns: number; readonly seed?: number; readonly path?: string } {
  const { FC_SEED: seed, FC_PATH: path } = process.env;
  return { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }), ...(path === undefined ? {} : { path }) };
}
