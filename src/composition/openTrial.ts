import { createCommands } from "../../commands/createCommands.js";
import type { EventLog } from "../../commands/ports.js";
import type { EventSource } from "../../projections/ports.js";
import { OverlayEventLog } from "../adapters/eventLog/overlay/overlayEventLog.js";
import type { Trial } from "../http/whatIf/trial.js";

/** The write side on what the log holds now, appending to memory. */
export async function openTrial(log: EventLog, source: EventSource, productName: string): Promise<Trial> {
  const position = await source.head();
  const overlay = new OverlayEventLog(log, position);
  const commands = createCommands({ log: overlay, productName, now: () => new Date() });
  return { commands, position, events: () => overlay.appended.map(({ event }) => event) };
}
