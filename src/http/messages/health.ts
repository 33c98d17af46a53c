import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** A read model that does not answer yet, and how far it has come. */
export interface AwaitedReadModel {
  name: string;
  /** Whether it is filled from the log, holds what another log says, or cannot be asked. */
  state: "building" | "of_another_log" | "unknown";
  /**
   * How much of what it waits for it has read, from 0 to 1; null where that is not known. Positions of the log are told
   * to operators alone.
   */
  progress: number | null;
}

/** Answer of the health routes. */
interface HealthAnswer {
  status: "alive" | "ready" | "starting" | "busy" | "disk_full" | "log_exchanged" | "stopping";
  /** While it starts: what does not answer yet. */
  waits_for?: AwaitedReadModel[];
  /** The threads that have ended, and are being started again. */
  threads_away?: string[];
}

export const healthAnswer = answerMessage(json.schema<HealthAnswer>());
