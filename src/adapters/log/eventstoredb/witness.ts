import type { Position } from "../../../shared/position.js";
import { beginning } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { read } from "./readCalls.js";
import { positionOf } from "./storedEvents.js";

/**
 * Tells whether a server that knows nothing of a stream can be believed. A leader that stood still while the others
 * chose another one goes on leading, as it believes, for seconds: it answers reads from a log that ends where it stood
 * still (ADR 10).
 */
export class Witness {
  private known: { readonly server: unknown; readonly end: Position } = { server: null, end: beginning };

  constructor(private readonly connection: Connection) {}

  /**
   * True where the server was known to have come this far, so what it said before counts. False where it is known only
   * now, and has to be asked again. Throws `EngineUnavailable` where no such server is found.
   */
  async hadCome(position: Position): Promise<boolean> {
    const { connection } = this;
    if (position === beginning || (this.known.server === connection.current && this.known.end >= position)) return true;
    await connection.insist(`Reading the event log as far as position ${position}`, async (deadlineMs) => {
      const [newest] = (await read(connection, { endOfAll: true }, deadlineMs)) ?? [];
      const end = newest === undefined ? beginning : positionOf(newest);
      if (end < position) throw new Error(`its log ends at ${end}`);
      this.known = { server: connection.current, end };
    });
    return false;
  }
}
