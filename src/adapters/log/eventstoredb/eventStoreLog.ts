import type { LogEngine } from "../../../daemon/ports.js";
import { disposeOnFailure } from "../../../shared/asyncDisposableStack.js";
import { prefixWithSetting } from "../../../shared/prefixWithSetting.js";
import { openEventStoreContents } from "./openEventStoreContents.js";
import { openEventStoreEventLog } from "./openEventStoreEventLog.js";
import { openEventStoreEventSource } from "./openEventStoreEventSource.js";
import { openEventStoreUnclaimedTexts } from "./openEventStoreUnclaimedTexts.js";

/**
 * The log in EventStoreDB. Imported where EVENTSTORE_URL names one, and nowhere else: its client alone costs every
 * program and every thread that starts a fifth of a second.
 */
export const eventStoreLog = (place: { readonly url: string; readonly namespace: string }): LogEngine => ({
  openForCommands: () =>
    disposeOnFailure(async (parts) => {
      const log = parts.adopt(await prefixWithSetting("EVENTSTORE_URL", openEventStoreEventLog(place)), (part) =>
        part.close(),
      );
      const source = parts.adopt(openEventStoreEventSource(place), (part) => part.close());
      const texts = parts.adopt(openEventStoreContents(place), (part) => part.close());
      const unclaimedTexts = parts.adopt(openEventStoreUnclaimedTexts(place), (part) => part.close());
      const firstEventId = (): Promise<string> => Promise.resolve(log.claimId);
      const close = (): Promise<void> => parts.disposeAsync();
      const isDamaged = (): Promise<boolean> => Promise.resolve(false);
      return {
        unit: "bytes",
        log,
        source,
        texts,
        unclaimedTexts,
        firstEventId,
        isExchanged: () => false,
        isDamaged,
        close,
      };
    }),
  openForProjections: () => {
    const contents = openEventStoreContents(place);
    return {
      source: (reading = {}) => openEventStoreEventSource({ ...place, ...reading }),
      contents,
      close: async () => contents.close(),
    };
  },
});
