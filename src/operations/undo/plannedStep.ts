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
