import type { CommandContext } from "../../../commands/commands.js";
import type { WebQuerySent } from "../../events/answer.js";

/** Writes down what leaves the service. */
export interface WebQueryRecorder {
  /** Resolves once it is on disk; where it rejects, the query must not leave. */
  record(sent: WebQuerySent["data"], context: CommandContext): Promise<void>;
}
