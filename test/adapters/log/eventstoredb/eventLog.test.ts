import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { unreadableEventsContract } from "../../../contracts/unreadableEventsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openLogOn } from "./openLog.js";

describe("the EventStoreDB event log", () => {
  /** A server for some of the tests: what each leaves there, every later one looks through. */
  const onServer = (tests: (server: () => EventStoreDouble) => void): void => {
    describe("on a server with other tenants", () => {
      let server: EventStoreDouble;
      before(async () => (server = await EventStoreDouble.start()));
      after(() => server.stop());
      tests(() => server);
    });
  };

  onServer((server) => eventLogContract(() => openLogOn(server().url), { mostBytes: 1_048_576 }));
  onServer((server) => eventLogSubscriptionContract(() => openLogOn(server().url)));
  onServer((server) => contentStoreContract(() => openLogOn(server().url)));
  onServer((server) =>
    unreadableEventsContract(async (newerShapes) => {
      const namespace = newNamespace();
      return {
        program: await openLogOn(server().url, namespace),
        newer: await openLogOn(server().url, namespace, newerShapes),
      };
    }),
  );
});
