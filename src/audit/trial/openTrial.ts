import { createCommands } from "../../../commands/createCommands.js";
import type { EventLog, TextExtractor } from "../../../commands/ports.js";
import type { PreloadedState } from "../../../commands/streamStates.js";
import { categoryOf } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { LogReader } from "../ports/log.js";
import { groupGraphTimeline } from "../timeline/groupGraphTimeline.js";
import type { StreamTimelines } from "../timeline/streamTimelines.js";
import { groupGraphAsOf } from "./groupGraphAsOf.js";
import { OverlayEventLog } from "./overlayEventLog.js";
import type { OpenTrial } from "./trial.js";

export interface TrialServices {
  readonly log: Pick<EventLog, "readStream" | "readLast"> & Pick<LogReader, "head">;
  /** Those of questions about access: they have group graphs, which are long, folded for every position. */
  readonly timelines: StreamTimelines;
  readonly productName: string;
  readonly extractor?: TextExtractor;
}

/** Opens the write side on what the log held at a position, appending to memory. */
export const createOpenTrial =
  ({ log, timelines, productName, extractor }: TrialServices): OpenTrial =>
  async (at) => {
    const head = await log.head();
    const position = at ?? head;
    if (position > head) return null;
    const overlay = new OverlayEventLog(log, position);
    const commands = createCommands({
      log: overlay,
      productName,
      ...(extractor && { extractor }),
      now: () => new Date(),
      preloadedState: foldedGroupGraphs(timelines, overlay, position),
    });
    return { commands, position, events: () => overlay.appended.map(({ event }) => event) };
  };

/** What group graphs were at a position, from timelines that have them folded already. */
export const foldedGroupGraphs =
  (timelines: StreamTimelines, overlay: OverlayEventLog, upTo: Position): PreloadedState =>
  async (stream) => {
    if (categoryOf(stream) !== "groupGraph") return null;
    const last = await overlay.lastBelow(stream);
    if (last === null) return null;
    const { revision, position } = last;
    return { state: groupGraphAsOf(await timelines.load(groupGraphTimeline, stream, upTo), upTo), revision, position };
  };
