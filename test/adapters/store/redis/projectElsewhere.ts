import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import type { RedisPlace } from "../../../support/redisReadModels.js";

/** A process that holds the lease and projects into Redis. */
export interface ProjectingElsewhere {
  /** Gives it events; answers with what came of them. */
  project(events: readonly RecordedEvent[]): Promise<string>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Starts it; resolves once it holds the lease. A `quick` lease is lost by who stands still for a second, a `patient` one
 * hardly ever.
 */
export async function projectElsewhere(
  { url, namespace }: RedisPlace,
  lease: "quick" | "patient" = "patient",
): Promise<ProjectingElsewhere> {
  const child = fork(fileURLToPath(new URL("projectingProcess.js", import.meta.url)), [url, namespace, lease], {
    serialization: "advanced",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  await once(child, "message");
  return {
    async project(events) {
      const answered = once(child, "message");
      child.send(events);
      return String((await answered)[0]);
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async close() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
