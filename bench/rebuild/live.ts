import type { CommandContext, CommandResult } from "../../commands/commands.js";
import type { Config } from "../../src/config.js";
import { Operator } from "../../test/rebuild/operator.js";
import { atMost, median, percentile, timed, type Measurement } from "../measure.js";
import { startServiceProcess } from "../processes.js";
import type { Tenant } from "./tenantLog.js";

const context: CommandContext = { by: "operator", correlationId: "bench", allowedDatasources: null };
/** Searches of one window, a few milliseconds apart: a service that is used, not one that is overrun. */
const searchesPerWindow = 500;
const pauseMs = 5;

/**
 * What a client that searches through the running service waits for, while a rebuild goes on and while none does, in
 * turns.
 */
export async function measureLiveSearch(
  config: Config,
  { questions, person }: Tenant,
  rounds: number,
): Promise<readonly Measurement[]> {
  const service = await startServiceProcess({ DATA_DIR: config.dataDir });
  const key = await service.createKey(person);
  const operator = await Operator.of({ DATA_DIR: config.dataDir });
  try {
    const search = async (number: number): Promise<number> => {
      const query = encodeURIComponent(questions[number % questions.length] ?? "");
      return timed(async () => {
        const answer = await fetch(`${service.url}/api/beta/search?query=${query}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`A search was answered with ${answer.status}.`);
      });
    };
    for (let warm = 0; warm < questions.length; warm++) await search(warm);
    const windows = { without: [] as number[][], during: [] as number[][] };
    for (let round = 0; round < rounds; round++) {
      windows.without.push(await searchSteadily(search));
      const giveUp = await startRebuild(operator);
      windows.during.push(await searchSteadily(search));
      await giveUp();
    }
    return [50, 99].map((percent) => {
      const [ours, peer] = [windows.during, windows.without].map((kept) =>
        median(kept.map((figures) => percentile(figures, percent))),
      ) as [number, number];
      const inMs = (value: number): string => `${value.toFixed(2)} ms`;
      return {
        name: `search over HTTP during a rebuild of search ÷ without, ${percent === 50 ? "median" : "p99"}`,
        ...atMost(2, ours / peer),
        ours: inMs(ours),
        peer: inMs(peer),
        rounds,
      };
    });
  } finally {
    await operator.leave();
    await service.stop();
  }
}

async function searchSteadily(search: (number: number) => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  for (let number = 0; number < searchesPerWindow; number++) {
    figures.push(await search(number));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return figures;
}

/** Resolves once the new version has begun to grow; answers with what gives it up. */
async function startRebuild(operator: Operator): Promise<() => Promise<void>> {
  const { commands } = operator;
  await accepted(commands.rebuildProjection({ name: "search", verify: false, keep: 1, accepted: false }, context));
  while (((await operator.positionUnderWay("search")) ?? 0n) === 0n)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const version = operator.stateOf("search").newest;
  return () => accepted(commands.dropVersion({ name: "search", version }, context));
}

async function accepted(result: CommandResult<null>): Promise<void> {
  const outcome = await result;
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.error)}`);
}
