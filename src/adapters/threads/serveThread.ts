import { parentPort, type Transferable } from "node:worker_threads";
import type { ThreadAnswer, ThreadRequest } from "./threadClient.js";

interface ThreadHandlers {
  readonly [method: string]: (payload: never) => unknown;
  /** Releases what the thread holds. It is the last call that the thread gets. */
  readonly close: () => unknown;
}

/** An answer with memory that is given away with it, instead of copied. */
export class Transferred<Value> {
  constructor(
    readonly value: Value,
    readonly transfer: readonly Transferable[],
  ) {}
}

/**
 * Answers the calls of a `ThreadClient`, one message at a time, in the order sent. Call it once, in a worker thread.
 */
export function serveThread(handlers: ThreadHandlers): void {
  const port = parentPort;
  if (port === null) throw new Error("serveThread was called on the main thread.");
  port.on("message", async ({ id, method, payload }: ThreadRequest) => {
    try {
      const handler = handlers[method];
      if (handler === undefined) throw new Error(`This thread serves no method ${method}.`);
      const answer = await handler(payload as never);
      const { value, transfer } = answer instanceof Transferred ? answer : new Transferred(answer, []);
      port.postMessage({ id, ok: true, value }, transfer);
    } catch (error) {
      port.postMessage({ id, ok: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  });
  // Answers no call: it says that the thread is at work.
  port.postMessage({ id: 0, ok: true, value: null } satisfies ThreadAnswer);
}
