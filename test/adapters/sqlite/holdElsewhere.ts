import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process that holds the lease on searching. */
export interface HoldingElsewhere {
  readonly token: bigint;
  /** Asks it whether it may write. */
  mayWrite(): Promise<boolean>;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

/** Starts it; resolves once it holds the lease. */
export async function holdElsewhere(file: string): Promise<HoldingElsewhere> {
  const child = fork(fileURLToPath(new URL("holdingProcess.js", import.meta.url)), [file]);
  process.once("exit", () => child.kill("SIGKILL"));
  const [token] = (await once(child, "message")) as [string];
  return {
    token: BigInt(token),
    async mayWrite() {
      const answered = once(child, "message");
      child.send("may you write?");
      return ((await answered) as [boolean])[0];
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async kill() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
