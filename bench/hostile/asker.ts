import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { AskOrder, AskReport } from "./messages.js";

/**
 * Asks a service for a sign of life and for a search every few milliseconds, in a process of its own: what the
 * benchmark does meanwhile must not delay what it measures. Started by `startAsker`; takes orders one after the other.
 */
const pauseMs = 3;
let stopping = new AbortController();

process.on("message", (order: AskOrder | "stop") => {
  if (order === "stop") stopping.abort();
  else void ask(order).then((report) => process.send?.(report));
});
process.once("disconnect", () => process.exit(0));
process.send?.("ready");

async function ask({ url, key }: AskOrder): Promise<AskReport> {
  const { signal } = (stopping = new AbortController());
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const steadily = async (path: string): Promise<readonly number[]> => {
    const figures: number[] = [];
    do {
      const startedAt = performance.now();
      await answer(url + path, { agent, headers: { authorization: `Bearer ${key}` } });
      figures.push(performance.now() - startedAt);
      await delay(pauseMs);
    } while (!signal.aborted);
    return figures;
  };
  const [live, search] = await Promise.all([steadily("/health/live"), steadily("/api/beta/search?query=words")]);
  agent.destroy();
  return { live, search };
}

async function answer(url: string, options: Parameters<typeof get>[1]): Promise<void> {
  const [response] = (await once(get(url, options), "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}.`);
}
