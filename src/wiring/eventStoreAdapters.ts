/**
 * Everything that speaks to EventStoreDB. Imported where EVENTSTORE_URL names one, and nowhere else: its client alone
 * costs every program and every thread that starts a fifth of a second.
 */
export { openEventStoreContents } from "../adapters/log/eventstoredb/openEventStoreContents.js";
export { openEventStoreEventLog } from "../adapters/log/eventstoredb/openEventStoreEventLog.js";
export { openEventStoreEventSource } from "../adapters/log/eventstoredb/openEventStoreEventSource.js";
export { openEventStoreUnclaimedTexts } from "../adapters/log/eventstoredb/openEventStoreUnclaimedTexts.js";
