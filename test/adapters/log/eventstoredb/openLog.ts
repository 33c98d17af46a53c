import { openEventStoreContents } from "../../../../src/adapters/log/eventstoredb/openEventStoreContents.js";
import { openEventStoreEventLog } from "../../../../src/adapters/log/eventstoredb/openEventStoreEventLog.js";
import { openEventStoreEventSource } from "../../../../src/adapters/log/eventstoredb/openEventStoreEventSource.js";
import type { Upcasters } from "../../../../src/events/upcasters.js";
import type { EventLogUnderTest } from "../../../contracts/eventLogFixtures.js";
import { newNamespace } from "../../../support/newNamespace.js";

/** A tenant's log on a server, its parts opened as the service opens them. `close` leaves the server as it is. */
export async function openLogOn(
  url: string,
  namespace = newNamespace(),
  upcasters?: Upcasters,
  patienceMs?: number,
): Promise<EventLogUnderTest> {
  const options = {
    url,
    namespace,
    ...(upcasters !== undefined && { upcasters }),
    ...(patienceMs !== undefined && { patienceMs }),
  };
  const log = await openEventStoreEventLog(options);
  const source = openEventStoreEventSource(options);
  const contents = openEventStoreContents(options);
  const close = async (): Promise<void> => {
    await Promise.all([log.close(), source.close(), contents.close()]);
  };
  const reopen = async (): Promise<EventLogUnderTest> => {
    await close();
    return openLogOn(url, namespace, upcasters, patienceMs);
  };
  return { log, source, contents, reopen, close };
}
