import { EventStoreDouble } from "../../test/support/eventStoreDb/eventStoreDouble.js";

/**
 * A server of EventStoreDB's protocol in a process of its own, for machines where no real one is named. Started by
 * `forkEventStore`.
 */
const server = await EventStoreDouble.start();
process.send?.({ url: server.url });
process.once("disconnect", () => void server.stop());
