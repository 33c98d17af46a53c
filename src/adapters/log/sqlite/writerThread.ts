import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { readAppends, type AppendMessage, type EncodedAppend } from "./appendMessage.js";
import { AppendTransaction } from "./appendTransaction.js";
import { checkpointPages, openLogForWriting } from "./logSchema.js";
import type { ToWriter, WriterThreadData } from "./logWriter.js";

/** Entry of the log's writer thread: the only place that appends. Started by `LogWriter`. */
const port = parentPort;
if (port === null) throw new Error("The log's writer is a worker thread.");

const { file } = workerData as WriterThreadData;
const database = openLogForWriting(file);
// Checkpoints run after the commit was acknowledged, not within it.
database.pragma("wal_autocheckpoint = 0");
const transaction = new AppendTransaction(database);
const committed = new ChangeSignal(file);
const walState = database.prepare<[], { log: number }>("PRAGMA wal_checkpoint(NOOP)");
let checkpointedPages = 0;

port.on("message", (first: ToWriter) => {
  const messages = [first];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    messages.push(next.message as ToWriter);
  commit(messages.filter((message): message is AppendMessage => message !== "close"));
  if (messages.includes("close")) close();
});
port.postMessage("ready");

/** Group commit: whatever arrived while the previous commit was being synced shares this one. */
function commit(messages: readonly AppendMessage[]): void {
  const appends: EncodedAppend[] = [];
  for (const message of messages) appends.push(...readAppends(message));
  if (appends.length === 0) return;
  port?.postMessage(transaction.run(appends));
  committed.announce();
  checkpointIfDue();
}

/**
 * A reader can keep the WAL from starting over. Then the next checkpoint comes after as many pages again. One that
 * fails (a full disk) loses nothing: what was committed is in the WAL, and the next commit tries again.
 */
function checkpointIfDue(): void {
  try {
    const pages = walState.get()?.log ?? 0;
    if (pages < checkpointedPages) checkpointedPages = 0;
    if (pages - checkpointedPages < checkpointPages) return;
    database.pragma("wal_checkpoint(PASSIVE)");
    checkpointedPages = pages;
  } catch {
    return;
  }
}

function close(): void {
  try {
    database.pragma("wal_checkpoint(TRUNCATE)");
  } catch {
    // The next process that opens the log finds the rest in the WAL.
  }
  database.close();
  committed.close();
  port?.close();
}
