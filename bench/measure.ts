/** One number that a benchmark stands for: ours against its peer, measured in turns within one run. */
export interface Measurement {
  readonly name: string;
  /** The quotient of the two medians; what it means is in {@link Measurement.name}. */
  readonly ratio: number;
  /** `≤ 1.3`, `≥ 0.6`. */
  readonly target: string;
  readonly met: boolean;
  readonly ours: string;
  readonly peer: string;
  readonly rounds: number;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1))] ?? Number.NaN;
}

/** Runs ours and the peer in turns, so that a noisy moment hits both; answers with every round's figures. */
export async function interleave<Figure>(
  rounds: number,
  ours: (round: number) => Promise<Figure> | Figure,
  peer: (round: number) => Promise<Figure> | Figure,
): Promise<{ readonly ours: readonly Figure[]; readonly peer: readonly Figure[] }> {
  const figures = { ours: [] as Figure[], peer: [] as Figure[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await ours(round));
    figures.peer.push(await peer(round));
  }
  return figures;
}

/** The verdict where more is better. */
export function atLeast(minimum: number, ratio: number): Pick<Measurement, "ratio" | "target" | "met"> {
  return { ratio, target: `≥ ${minimum}`, met: ratio >= minimum };
}

/** The verdict where less is better. */
export function atMost(maximum: number, ratio: number): Pick<Measurement, "ratio" | "target" | "met"> {
  return { ratio, target: `≤ ${maximum}`, met: ratio <= maximum };
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
