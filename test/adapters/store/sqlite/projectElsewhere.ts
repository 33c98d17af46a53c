import { fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";

/** A process that projects events into this file. */
export function projectElsewhere(file: string): {
  project(events: readonly RecordedEvent[]): Promise<void>;
  close(): Promise<void>;
} {
  const child = fork(fileURLToPath(new URL("projectingProcess.js", import.meta.url)), [file], {
    serialization: "advanced",
  });
  return {
    async project(events) {
      const answered = once(child, "message");
      child.send(events);
      await answered;
      await nextTurn();
    },
    async close() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
