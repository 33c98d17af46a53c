import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PushOrder, PushReport } from "./messages.js";

/** A process that pushes documents. */
export interface Pusher {
  /** Resolves once all documents of the order are answered, or those that were under way when it was stopped. */
  push(order: PushOrder): Promise<PushReport>;
  stop(): void;
  close(): void;
}

/** Starts a pusher; resolves once it has made its texts. */
export async function startPusher(): Promise<Pusher> {
  const child = fork(fileURLToPath(new URL("pusher.js", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return {
    push: async (order) => {
      child.send(order);
      const [report] = (await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => Promise.reject(new Error("The pusher ended while it was pushing."))),
      ])) as [PushReport];
      return report;
    },
    stop: () => void child.send("stop"),
    close: () => child.disconnect(),
  };
}
