import type { RecordedEvent } from "../../events/domainEvent.js";
import type { CommandContext, CommandResult, Commands } from "../../../commands/commands.js";

/** One command that puts something back. */
export interface PlannedStep {
  /** The newest event that is taken back. */
  readonly taken: RecordedEvent;
  /** What is done, as a sentence without a full stop. */
  readonly undo: string;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /** How many commands it takes; one where left out. */
  readonly commands?: number;
  /**
   * For what the commands themselves would not notice: false where anybody has written since the plan was made to what
   * this puts back whole. What was written with this correlation id is the undo's own.
   */
  isAsPlanned?(correlationId: string): Promise<boolean>;
  /** null where it was done, else why not. Left out of plans that are only looked at. */
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
