import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import type { EventLogUnderTest } from "../../../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { unreadableEventsContract } from "../../../contracts/unreadableEventsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openLogOn } from "./openLog.js";

describe("the EventStoreDB event log", () => {
  let server: EventStoreDouble;
  before(async () => {
    server = await EventStoreDouble.start();
  });
  after(() => server.stop());

  const open = (): Promise<EventLogUnderTest> => openLogOn(server.url);
  eventLogContract(open, { mostBytes: 1_048_576 });
  eventLogSubscriptionContract(open);
  contentStoreContract(open);
  unreadableEventsContract(async (newerShapes) => {
    const namespace = newNamespace();
    return {
      program: await openLogOn(server.url, namespace),
      newer: await openLogOn(server.url, namespace, newerShapes),
    };
  });
});
