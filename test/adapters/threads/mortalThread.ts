import { serveThread } from "../../../src/adapters/threads/serveThread.js";

/** A thread that dies when it is asked to. */
serveThread({
  echo: (value: unknown) => value,
  die: () => process.exit(7),
  throwLater: () => {
    setImmediate(() => {
      throw new Error("Nobody catches this.");
    });
    return new Promise(() => undefined);
  },
  close: () => undefined,
});
