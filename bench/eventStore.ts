import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measure.js";
import { measureCatchUp } from "./eventStore/catchUp.js";
import { measurePushes } from "./eventStore/pushes.js";

const peer = fileURLToPath(new URL("peers/eventStorePeer.js", import.meta.url));

/**
 * What this program adds to the client of EventStoreDB: on the server that `EVENTSTORE_URL` names, else on the double
 * that the tests use, in a process of its own.
 */
export async function measureEventStore(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const named = process.env["EVENTSTORE_URL"];
  const server =
    named === undefined || named === ""
      ? await forkEventStore()
      : { url: named, kind: "a real server", stop: async () => undefined };
  const target = { ...server, namespace: `bench-${randomUUID()}` };
  try {
    report(`document pushes on ${server.kind}`);
    const pushes = await measurePushes(target, rounds);
    report(`catch-up on ${server.kind}`);
    const catchUp = await measureCatchUp(target, rounds);
    return [catchUp, pushes].map((measurement) => ({ ...measurement, name: `${measurement.name}, on ${server.kind}` }));
  } finally {
    await server.stop();
  }
}

async function forkEventStore(): Promise<{ readonly url: string; readonly kind: string; stop(): Promise<void> }> {
  const child = fork(peer, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const stop = async (): Promise<void> => {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  };
  return { url, kind: "the double", stop };
}
