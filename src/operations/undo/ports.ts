import type { ContentReference } from "../../events/document.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory, StreamName } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { EventLog } from "../../../commands/ports.js";
import type { CommandContext, CommandResult, Commands } from "../../../commands/commands.js";

/** The log as an undo reads it. */
export interface UndoLog extends Pick<EventLog, "readStream" | "readLast"> {
  /** Everything of these categories after one position, up to and including another, in order. */
  readRange(
    after: Position,
    upTo: Position,
    categories: readonly StreamCategory[],
  ): AsyncIterable<readonly RecordedEvent[]>;
  head(): Promise<Position>;
}

/** Reads the texts that are still there. */
export interface UndoTexts {
  /** Null where the text has been erased. */
  read(key: { readonly stream: StreamName; readonly reference: ContentReference }): Promise<string | null>;
}

/** One command that puts something back. */
export interface PlannedStep {
  /** The newest event that is taken back. */
  readonly taken: RecordedEvent;
  /** What is done, as a sentence without a full stop. */
  readonly undo: string;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /**
   * False where somebody has written, since the plan was made, to what this step replaces as a whole: the commands
   * would not notice. Events with this correlation id are the undo's own.
   */
  isAsPlanned?(correlationId: string): Promise<boolean>;
  /** Answers with null where it was done, else with why not. */
  run(commands: Commands, context: CommandContext): CommandResult<string | null>;
}

/** What becomes of one fact. */
export type Undoing =
  | {
      readonly kind: "step";
      readonly step: Omit<PlannedStep, "taken">;
      /** What of it cannot be brought back, in a sentence. */ readonly but?: string;
    }
  /** No command can do it, in a sentence. */
  | { readonly kind: "kept"; readonly reason: string }
  /** It is as it was. */
  | { readonly kind: "nothing" };

/** A command whose answer does not matter. */
export async function done(result: CommandResult<unknown>): CommandResult<string | null> {
  const outcome = await result;
  return outcome.ok ? { ok: true, value: { value: null, position: outcome.value.position } } : outcome;
}
