import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AskOrder, AskReport } from "./messages.js";

/** A process that asks a service steadily. */
export interface Asker {
  /** What the answers took while `work` was done. */
  during(work: () => Promise<void>): Promise<AskReport>;
  close(): void;
}

/** Starts an asker of this service. */
export async function startAsker(order: AskOrder): Promise<Asker> {
  const child = fork(fileURLToPath(new URL("asker.js", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The asker ended while it was asking.")));
  ended.catch(() => undefined);
  const report = async (): Promise<AskReport> => {
    const [answered] = (await Promise.race([once(child, "message"), ended])) as [AskReport];
    return answered;
  };
  return {
    async during(work) {
      const reported = report();
      child.send(order);
      try {
        await Promise.race([work(), reported]);
      } finally {
        child.send("stop");
      }
      return reported;
    },
    close: () => child.disconnect(),
  };
}
