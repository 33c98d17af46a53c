import { expect } from "chai";
import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { batchesToEnd, eventsOf, rename } from "../../../contracts/eventLogFixtures.js";
import type { Position } from "../../../../src/shared/position.js";
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

  onServer((server) =>
    it("looks through no stretch of the log twice to know it again", async () => {
      const under = await openLogOn(server().url);
      const { position: named } = await rename(under.log, "noStream", "a");
      const [landmark] = eventsOf(await batchesToEnd(under.source));
      if (landmark === undefined) throw new Error("An event is expected.");
      const later = await rename(under.log, 0, "b");
      const subscriptions = (): number => server().faults.calls.get("subscribe") ?? 0;
      const costOf = async (position: Position): Promise<number> => {
        const before = subscriptions();
        expect(await under.source.holds({ position, landmark }, ["apiKey"])).to.equal(true);
        return subscriptions() - before;
      };
      expect(await costOf(named)).to.equal(0);
      expect(await costOf(later.position)).to.be.above(0);
      expect(await costOf(later.position)).to.equal(0);
      expect(await costOf(named)).to.equal(0);
      await under.close();
    }),
  );
});
