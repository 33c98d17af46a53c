import type { Commands, OwnCommands } from "../../commands/commands.js";
import { createCommands } from "../../commands/createCommands.js";
import type { EventLog, PasswordHasher, TextExtractor } from "../../commands/ports.js";
import type { BytesReader, ContentReader, EventSource } from "../../projections/ports.js";
import { StreamTimelines } from "../audit/timeline/streamTimelines.js";
import type { LogReader } from "../audit/ports/log.js";
import type { BrowsableLog } from "../events/eventSelection.js";
import type { TextSweep } from "../daemon/sweepTexts.js";
import { Argon2Hasher } from "../adapters/passwords/argon2Hasher.js";
import { isEasyToGuess } from "../adapters/passwords/isEasyToGuess.js";
import type { ProjectionsAnswer } from "../readModels/projectionStatus.js";
import type { OpenTrial } from "../audit/trial/trial.js";
import type { ThreadWatch } from "../shared/restartedWorker.js";
import { createOpenTrial } from "../audit/trial/openTrial.js";
import { logEngine, type LogConfig } from "./eventLog.js";

/** What the write side needs to know of the settings. */
interface WriteSideConfig extends LogConfig {
  readonly productName: string;
}

/** What the write side may be opened with. */
interface WriteSideParts {
  readonly threads?: ThreadWatch;
  readonly extractor?: TextExtractor;
  /** Default: argon2id at the cost that OWASP asks for. */
  readonly passwordHasher?: PasswordHasher;
}

/** Commands, and the log that they append to. */
export interface WriteSide {
  readonly commands: Commands;
  readonly foldGroupGraph: OwnCommands["foldGroupGraph"];
  readonly expireFile: OwnCommands["expireFile"];
  readonly source: EventSource & BrowsableLog;
  /** What positions of the log count. */
  readonly logUnit: ProjectionsAnswer["log_unit"];
  /** The same log, to be read alone. */
  readonly streams: LogReader & Pick<EventLog, "readLast">;
  readonly texts: ContentReader & BytesReader;
  /** Null where the log never leaves a text without its event. */
  readonly textSweep: TextSweep | null;
  /** For requests that are only tried. */
  readonly openTrial: OpenTrial;
  /** Timelines of the log's streams, for questions about the past. */
  readonly timelines: StreamTimelines;
  /** See `LogForCommands`. */
  firstEventId(): Promise<string | null>;
  /** See `LogForCommands`. */
  isExchanged(): boolean;
  /** See `LogForCommands`. */
  isDamaged(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the log, creating it where it is missing. `threads` is told of its own; `extractor` reads files. */
export async function openWriteSide(
  config: WriteSideConfig,
  { threads, extractor, passwordHasher = new Argon2Hasher() }: WriteSideParts = {},
): Promise<WriteSide> {
  const engine = await logEngine(config, threads);
  const { unit, log, source, texts, unclaimedTexts, ...opened } = await engine.openForCommands();
  const { firstEventId, isExchanged, isDamaged, close } = opened;
  const {
    foldGroupGraph,
    withdrawContent: withdraw,
    expireFile,
    ...commands
  } = createCommands({
    log,
    productName: config.productName,
    ...(extractor && { extractor }),
    passwordHasher,
    isEasyToGuess,
    now: () => new Date(),
  });
  const streams: WriteSide["streams"] = {
    readStream: (stream, fromRevision, maxCount) => log.readStream(stream, fromRevision, maxCount),
    readLast: (stream) => log.readLast(stream),
    head: () => source.head(),
  };
  const textSweep = unclaimedTexts === null ? null : { texts: unclaimedTexts, withdraw };
  const timelines = new StreamTimelines(streams);
  const openTrial = createOpenTrial({
    ...{ log: streams, timelines, productName: config.productName, ...(extractor && { extractor }) },
  });
  return {
    commands,
    foldGroupGraph,
    expireFile,
    source,
    logUnit: unit,
    streams,
    texts,
    textSweep,
    timelines,
    openTrial,
    firstEventId,
    isExchanged,
    isDamaged,
    close,
  };
}
