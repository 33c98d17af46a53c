import { join } from "node:path";
import type { LogEngine } from "../../../daemon/ports.js";
import { disposeOnFailure } from "../../../shared/asyncDisposableStack.js";
import type { ThreadWatch } from "../../../shared/restartedWorker.js";
import { identityOf } from "../../sqlite/fileIdentity.js";
import { hasDamagedPages } from "../../sqlite/pageCheck.js";
import { openSqliteContents } from "./openSqliteContents.js";
import { openSqliteEventLog } from "./openSqliteEventLog.js";
import { openSqliteEventSource } from "./openSqliteEventSource.js";

interface SqliteLogOptions {
  readonly dataDir: string;
  /** Called where the writer thread ends, and when it is back. */
  readonly threads?: ThreadWatch;
}

/** The log in a file of the data folder: the truth, and the only file to back up. */
export function sqliteLog({ dataDir, threads }: SqliteLogOptions): LogEngine {
  const file = join(dataDir, "log.sqlite");
  return {
    openForCommands: () =>
      disposeOnFailure(async (parts) => {
        const log = parts.adopt(await openSqliteEventLog({ file, threads }), (part) => part.close());
        const source = parts.adopt(openSqliteEventSource({ file }), (part) => part.close());
        const { texts, firstEventId } = log;
        const opened = identityOf(file);
        const isExchanged = (): boolean => identityOf(file) !== opened;
        const isDamaged = (signal: AbortSignal): Promise<boolean> => hasDamagedPages(file, signal);
        const close = (): Promise<void> => parts.disposeAsync();
        return {
          unit: "events",
          log,
          source,
          texts,
          unclaimedTexts: null,
          firstEventId,
          isExchanged,
          isDamaged,
          close,
        };
      }),
    openForProjections: () => {
      const contents = openSqliteContents({ file });
      return {
        source: (reading = {}) => openSqliteEventSource({ file, ...reading }),
        contents,
        close: async () => contents.close(),
      };
    },
  };
}
