import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { prettyLine } from "../logging/prettyLine.js";
import { version } from "../version.js";
import { RequestsUnderWay } from "../shared/requestsUnderWay.js";
import { earlierEnds, type WatchdogTerms } from "./watchdog.js";

const { turns, underWay, seconds, endsFile, log } = workerData as WatchdogTerms;
const turned = new Int32Array(turns);
const lookEveryMs = Math.max(50, Math.min(1_000, (seconds * 1_000) / 10));
/** Linux counts the time of threads in hundredths of a second for everybody who reads it (`USER_HZ`). */
const ticksPerSecond = 100;
const standardError = 2;

let seenTurns = -1;
let secondsAtTurn = 0;

/** CPU time of the main thread, whose id is the process's; of the whole process where the system does not tell. */
function cpuSeconds(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1");
    // The name of the thread stands in parentheses, and may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

function look(): void {
  const now = Atomics.load(turned, 0);
  const spent = cpuSeconds();
  if (now !== seenTurns) {
    [seenTurns, secondsAtTurn] = [now, spent];
    return;
  }
  if (spent - secondsAtTurn >= seconds) end(spent - secondsAtTurn);
}

/** Everything here is done at once: the main thread takes no messages. */
function end(cpuSecondsWithoutTurn: number): void {
  const time = new Date().toISOString();
  const line = JSON.stringify({
    ...{ level: "fatal", time, version, requests: new RequestsUnderWay(underWay).list() },
    cpuSeconds: Math.round(cpuSecondsWithoutTurn * 10) / 10,
    msg: "The main thread stands still, and nobody gets an answer: the watchdog ends the process. One of these requests keeps it.",
  });
  if (log.logLevel !== "silent") writeSync(standardError, log.logFormat === "json" ? `${line}\n` : prettyLine(line));
  try {
    writeFileSync(endsFile, JSON.stringify({ ends: earlierEnds(endsFile).ends + 1, last: time }));
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}

setInterval(look, lookEveryMs);
