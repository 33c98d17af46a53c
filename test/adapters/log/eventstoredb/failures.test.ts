import { randomUUID } from "node:crypto";
import { binaryEvent, EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { expect } from "chai";
import type { NewEvent } from "../../../../commands/ports.js";
import { EngineUnavailable, type EventBatch } from "../../../../projections/ports.js";
import { openEventStoreEventLog } from "../../../../src/adapters/log/eventstoredb/openEventStoreEventLog.js";
import { openEventStoreEventSource } from "../../../../src/adapters/log/eventstoredb/openEventStoreEventSource.js";
import { userStream } from "../../../../src/events/streams.js";
import { toEmail } from "../../../../src/shared/ids.js";
import { beginning, toPosition } from "../../../../src/shared/position.js";
import {
  alice,
  appended,
  bob,
  batchesToEnd,
  batchesUntil,
  datasourceId,
  eventsOf,
  namesOf,
  newEvent,
  newEvents,
  rename,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { openLogOn } from "./openLog.js";
import { newNamespace } from "../../../support/newNamespace.js";

/** A call is given a third of it, and then tried again. */
const patienceMs = 12_000;
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error("no failure"),
    (error: Error) => error,
  );

describe("the EventStoreDB event log while its server fails", () => {
  let server: EventStoreDouble;
  let under: EventLogUnderTest;
  let namespace: string;
  beforeEach(async () => {
    server = await EventStoreDouble.start();
    namespace = newNamespace();
    under = await openLogOn(server.url, namespace, undefined, patienceMs);
  });
  afterEach(async () => {
    await under.close();
    await server.stop();
  });

  const personsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => userStream(datasourceId, toEmail(`${index}@example.org`)));
  const appendToEach = (count: number, { log } = under) =>
    Promise.all(
      personsOf(count).map((stream, index) =>
        appended(log, { stream, expectedRevision: "noStream", events: newEvents(`event ${index}`) }),
      ),
    );
  const countsOf = async (count: number, { log } = under): Promise<number[]> =>
    (await Promise.all(personsOf(count).map((stream) => log.readStream(stream, 0)))).map(({ length }) => length);

  describe("an append", () => {
    for (const how of ["silence", "timeout", "drop"] as const) {
      it(`whose acknowledgement is lost is asked again, and written once (${how})`, async () => {
        await rename(under.log, "noStream", "a");
        server.faults.loseAcknowledgements(1, how);
        const { revision, position } = await rename(under.log, 0, "b", "c");
        const read = await under.log.readStream(alice, 0);
        expect(namesOf(read)).to.deep.equal(["a", "b", "c"]);
        expect({ revision, position }).to.deep.equal({ revision: 2, position: read.at(-1)?.position });
      });
    }

    it("is not affected by the lost acknowledgements of others", async () => {
      server.faults.loseAcknowledgements(10, "silence");
      const outcomes = await appendToEach(40);
      expect(outcomes.every(({ revision }) => revision === 0)).to.equal(true);
      expect(new Set(await countsOf(40))).to.deep.equal(new Set([1]));
    });

    it("is sent again while the server is not ready", async () => {
      server.faults.refuseAsNotReady(3);
      await rename(under.log, "noStream", "a");
      expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a"]);
    });

    it("outlives a restart of the server, however many are under way", async () => {
      server.faults.appendDelayMs = 5;
      const appends = appendToEach(60);
      await server.restart();
      await appends;
      server.faults.appendDelayMs = 0;
      expect(new Set(await countsOf(60))).to.deep.equal(new Set([1]));
    });

    it("is never said to have failed or to be done where that is not known", async () => {
      const impatient = await openLogOn(server.url, namespace, undefined, 600);
      server.freeze();
      const request = { stream: alice, expectedRevision: "noStream", events: newEvents("a") } as const;
      const failure = await failureOf(impatient.log.append(request));
      expect(failure).to.be.instanceOf(EngineUnavailable);
      expect(failure.message)
        .to.contain("not known")
        .and.to.contain("sending it again is safe")
        .and.to.contain(server.address);
      server.thaw();
      await impatient.close();
      await appended(under.log, request);
      expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a"]);
    });

    it("that the client or the server would choke on is refused before it is sent", async () => {
      const before = server.log.entries.length;
      const malformed: readonly [NewEvent, string][] = [
        [{ ...newEvent(), id: "no uuid" }, "must be a UUID"],
        [newEvent({ type: "" as never, data: {} as never }), "must have a type"],
        [newEvent({ type: "UserRenamed", data: undefined as never }), "must be an object"],
        [newEvent({ type: "UserRenamed", data: { big: 1n } as never }), "BigInt"],
      ];
      for (const [event, problem] of malformed) {
        const failure = await failureOf(
          under.log.append({ stream: alice, expectedRevision: "noStream", events: [event] }),
        );
        expect(failure.message).to.contain(problem);
      }
      expect(server.log.entries.length).to.equal(before);
      await rename(under.log, "noStream", "a");
    });

    it("shares one stream with others, and no fate with another client's of the process", async () => {
      const another = await openLogOn(server.url, newNamespace(), undefined, patienceMs);
      // No call is lost here, so none is to be given up, however long a busy machine takes over them.
      const patient = await openLogOn(server.url, namespace, undefined, 60_000);
      server.faults.appendDelayMs = 20;
      const appends = appendToEach(200, patient);
      await another.close();
      await appends;
      server.faults.appendDelayMs = 0;
      expect(new Set(await countsOf(200, patient))).to.deep.equal(new Set([1]));
      expect(server.faults.calls.has("append")).to.equal(false);
      expect(server.faults.calls.get("batchAppend")).to.be.at.most(4);
      await patient.close();
    });

    it("opens another stream where one hangs", async () => {
      await rename(under.log, "noStream", "a");
      server.faults.loseAcknowledgements(1, "hang");
      await rename(under.log, 0, "b");
      expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a", "b"]);
    });

    it("goes where the leader has moved", async () => {
      const nodes = await EventStoreDouble.startCluster(3);
      const cluster = await openLogOn(
        `esdb://${nodes.map(({ address }) => address).join(",")}?tls=false`,
        newNamespace(),
        undefined,
        patienceMs,
      );
      try {
        await rename(cluster.log, "noStream", "a");
        nodes[1]?.lead();
        await rename(cluster.log, 0, "b");
        await nodes[1]?.stop();
        nodes[2]?.lead();
        await rename(cluster.log, 1, "c");
        expect(namesOf(await cluster.log.readStream(alice, 0))).to.deep.equal(["a", "b", "c"]);
        expect(namesOf(eventsOf(await batchesToEnd(cluster.source)))).to.deep.equal(["a", "b", "c"]);
      } finally {
        await cluster.close();
        for (const node of nodes) await node.stop();
      }
    });

    it("goes to the next leader where the old one hangs, long before the connection is known to be broken", async () => {
      const nodes = await EventStoreDouble.startCluster(3);
      const cluster = await openLogOn(
        `esdb://${nodes.map(({ address }) => address).join(",")}?tls=false`,
        newNamespace(),
        undefined,
        patienceMs,
      );
      try {
        await rename(cluster.log, "noStream", "a");
        nodes[0]?.freeze();
        nodes[1]?.lead();
        await Promise.all([rename(cluster.log, 0, "b"), cluster.log.readLast(bob)]);
        expect(namesOf(await cluster.log.readStream(alice, 0))).to.deep.equal(["a", "b"]);
      } finally {
        nodes[0]?.thaw();
        await cluster.close();
        for (const node of nodes) await node.stop();
      }
    });

    it("finds the cluster where only the last node that is named is there, however it is to be found", async () => {
      const nodes = await EventStoreDouble.startCluster(3);
      nodes[2]?.lead();
      await nodes[0]?.stop();
      await nodes[1]?.stop();
      for (const scheme of ["esdb+discover", "esdb"]) {
        const cluster = await openLogOn(
          `${scheme}://${nodes.map(({ address }) => address).join(",")}?tls=false`,
          newNamespace(),
          undefined,
          patienceMs,
        );
        await rename(cluster.log, "noStream", "a");
        await cluster.close();
      }
      await nodes[2]?.stop();
    });

    it("says what became of a stream that was deleted for good behind its back", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      await rename(under.log, "noStream", "a");
      await client.tombstoneStream(`${namespace}.${alice}`);
      await client.dispose();
      expect((await failureOf(rename(under.log, 0, "b"))).message)
        .to.contain(alice)
        .and.to.contain("deleted for good");
      const failure = await failureOf(under.log.readStream(alice, 0));
      expect(failure).to.be.instanceOf(EngineUnavailable);
      expect(failure.message).to.contain(alice).and.to.contain("from outside");
    });

    it("decides nothing on a stream that was deleted behind its back, and does so again once it is restored", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      const name = `${namespace}.${alice}`;
      await rename(under.log, "noStream", "a", "b");
      await client.deleteStream(name);
      const failures = [
        await failureOf(under.log.readStream(alice, 0)),
        await failureOf(under.log.readStream(alice, 2)),
        await failureOf(rename(under.log, "noStream", "as if it were new")),
        await failureOf(under.log.readStream(alice, 0)),
      ];
      for (const failure of failures) {
        expect(failure).to.be.instanceOf(EngineUnavailable);
        expect(failure.message).to.contain(alice).and.to.contain("from outside");
      }
      await client.setStreamMetadata(name, {});
      await client.dispose();
      expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a", "b", "as if it were new"]);
      expect(await under.log.readStream(bob, 0)).to.deep.equal([]);
    });

    it("decides nothing on a stream of which the beginning was cut off behind its back", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      await rename(under.log, "noStream", "a", "b", "c");
      await client.deleteStream(`${namespace}.${alice}`);
      await rename(under.log, 2, "d");
      expect((await failureOf(under.log.readStream(alice, 0))).message).to.contain("The beginning");
      await client.setStreamMetadata(`${namespace}.${alice}`, { truncateBefore: 4 });
      await client.dispose();
      const failure = await failureOf(under.log.readStream(alice, 0));
      expect(failure).to.be.instanceOf(EngineUnavailable);
      expect(failure.message).to.contain("Everything");
    });
  });

  describe("a subscription", () => {
    it("goes on after a restart of the server and lost connections, without a gap or a repeat", async () => {
      const total = 60;
      const reading = batchesUntil(under.source, (batches) => eventsOf(batches).length >= total, { maxBatchSize: 7 });
      for (let index = 0; index < total; index++) {
        await rename(under.log, index === 0 ? "noStream" : index - 1, `event ${index}`);
        if (index % 20 === 10) server.dropConnections();
        if (index === 30) await server.restart();
      }
      expect(namesOf(eventsOf(await reading))).to.deep.equal(namesOf(await under.log.readStream(alice, 0)));
    });

    it("reports a server that stays away", async () => {
      const source = openEventStoreEventSource({ url: server.url, namespace, patienceMs: 300 });
      const waiting = failureOf(batchesUntil(source, () => false));
      await server.stop();
      const failure = await waiting;
      await source.close();
      expect(failure).to.be.instanceOf(EngineUnavailable);
      expect(failure.message).to.contain(server.address);
      await server.resume();
    });

    it("stops with a clear line where its position is not in the log", async () => {
      const { position } = await rename(
        under.log,
        "noStream",
        ...Array.from({ length: 50 }, (_, index) => `event ${index}`),
      );
      const within = await failureOf(batchesToEnd(under.source, { after: toPosition(position - 1n) }));
      await server.loseEverything();
      const beyond = await failureOf(batchesToEnd(under.source, { after: position }));
      for (const { message } of [within, beyond]) {
        expect(message)
          .to.contain("A projection stands at position")
          .and.to.contain("replaced by another or older copy");
      }
      expect(beyond.message).to.contain(`position ${position}`).and.to.contain("ends at");
    });

    it("delivers nothing of tenants whose namespace begins as ours does, and no event of a deleted stream as read", async () => {
      const tenants = [`${namespace}-user`, `${namespace}x`, `${namespace}_`];
      const others = await Promise.all(tenants.map((name) => openLogOn(server.url, name)));
      for (const other of others) await rename(other.log, "noStream", "theirs");
      await rename(under.log, "noStream", "ours");
      const client = EventStoreDBClient.connectionString(server.url);
      await client.tombstoneStream(`${namespace}.${alice}`);
      await client.dispose();
      const batches = await batchesToEnd(under.source);
      const [ours, deleted, ...more] = eventsOf(batches);
      expect(namesOf(ours === undefined ? [] : [ours])).to.deep.equal(["ours"]);
      expect(more).to.deep.equal([]);
      expect(deleted?.stream).to.equal(alice);
      expect(String(deleted?.unreadable?.reason)).to.contain("from outside");
      expect(batches.at(-1)?.position).to.equal(await under.source.head());
      await Promise.all(others.map((other) => other.close()));
    });

    it("tells of a stream that was deleted, but not for good, as long as it is", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      await rename(under.log, "noStream", "a");
      await client.deleteStream(`${namespace}.${alice}`);
      const [, deleted, ...more] = eventsOf(await batchesToEnd(under.source));
      expect(more).to.deep.equal([]);
      expect(deleted?.stream).to.equal(alice);
      expect(String(deleted?.unreadable?.reason)).to.contain("from outside");
      await client.setStreamMetadata(`${namespace}.${alice}`, {});
      await client.dispose();
      expect(namesOf(eventsOf(await batchesToEnd(under.source)))).to.deep.equal(["a"]);
    });

    it("that is read slowly holds up nobody else", async () => {
      const bulk = Array.from({ length: 150 }, () => "x".repeat(6_000));
      for (let index = 0; index < 20; index++) {
        const stream = userStream(datasourceId, toEmail(`bulk${index}@example.org`));
        await appended(under.log, { stream, expectedRevision: "noStream", events: newEvents(...bulk) });
      }
      const stop = new AbortController();
      const request = { after: beginning, categories: ["user"] as const, maxBatchSize: 10, signal: stop.signal };
      const slow = under.source.subscribe(request)[Symbol.asyncIterator]();
      await slow.next();
      const all = eventsOf(await batchesToEnd(under.source, { maxBatchSize: 500 }));
      expect(all).to.have.length(3_000);
      expect(await under.log.readLast(alice)).to.equal(null);
      stop.abort();
      await slow.next();
    });

    it("tells of each event of its own tenant that others wrote, which a waiting answer needs", async () => {
      const reached: bigint[] = [];
      let position = beginning;
      const reading = batchesUntil(
        under.source,
        (batches: readonly EventBatch[]) => {
          reached.push(batches.at(-1)?.position ?? 0n);
          if (batches.length === 1)
            void rename(under.log, "noStream", "a").then((outcome) => (position = outcome.position));
          return position > beginning && (reached.at(-1) ?? 0n) >= position;
        },
        { categories: ["apiKey"] },
      );
      expect(eventsOf(await reading)).to.deep.equal([]);
    });

    it("delivers what it cannot read so that a projection can park it", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      const stream = `${namespace}.${alice}`;
      await client.appendToStream(stream, [
        jsonEvent({ type: "SomethingElse", data: { name: "x" }, metadata: { at: "2024-05-01T10:00:00.000Z" } }),
        binaryEvent({ type: "UserRenamed", data: Buffer.from("no JSON") }),
        jsonEvent({
          type: "UserRenamed",
          data: { name: "x" },
          metadata: { at: "2024-05-01T10:00:00.000Z", version: 9 },
        }),
      ]);
      await client.dispose();
      const events = eventsOf(await batchesToEnd(under.source));
      expect(events.map(({ event }) => event.type)).to.deep.equal([
        "UserRegistered",
        "UserRegistered",
        "UserRegistered",
      ]);
      for (const [index, { event }] of events.entries()) {
        expect(event.data).to.have.property("datasourceId", datasourceId);
        const problem = ["does not know", "no JSON object", "written in version 9"][index] ?? "";
        expect(() => (event.data as { readonly email: string }).email).to.throw(problem);
        expect(() => ({ ...event.data })).to.throw(`stream ${alice}`);
      }
      expect((await failureOf(under.log.readStream(alice, 0))).message).to.contain("cannot be read");
    });
  });

  describe("opening", () => {
    const opening = (url: string, name = newNamespace(), connectTimeoutMs?: number): Promise<Error> =>
      failureOf(openEventStoreEventLog({ url, namespace: name, ...(connectTimeoutMs && { connectTimeoutMs }) }));
    const openingSoon = (url: string): Promise<Error> => opening(url, newNamespace(), 500);

    it("is refused within a bounded wait where nobody answers, or nobody but a socket", async () => {
      await server.stop();
      expect((await openingSoon(server.url)).message).to.contain(server.address);
      await server.resume();
      server.freeze();
      expect((await openingSoon(server.url)).message).to.contain(server.address);
      server.thaw();
    });

    it("waits for a server that is not ready yet", async () => {
      server.faults.refuseAsNotReady(3);
      const log = await openEventStoreEventLog({ url: server.url, namespace: newNamespace() });
      await log.close();
    });

    it("understands the newer names of the scheme", async () => {
      const log = await openEventStoreEventLog({ url: server.url.replace("esdb://", "kurrentdb://"), namespace });
      await log.close();
    });

    it("is refused where the namespace is another program's, or a newer one's", async () => {
      const client = EventStoreDBClient.connectionString(server.url);
      const claim = async (data: Record<string, unknown>): Promise<string> => {
        const name = newNamespace();
        await client.appendToStream(
          `${name}.namespace`,
          jsonEvent({ id: randomUUID(), type: "NamespaceClaimed", data: data as never }),
        );
        return (await opening(server.url, name)).message;
      };
      expect(await claim({ program: "another", layout: 1 })).to.contain("belongs to another program");
      expect(await claim({ program: "enterprise-search", layout: 2 })).to.contain("newer version");
      await client.dispose();
    });

    for (const [url, problem] of [
      ["http://user:secret@host:2113", "must begin with esdb://"],
      ["esdb://user:secret@", "names no host"],
      ["esdb://secret@host:2113", "user:password@"],
      ["esdb://user:secret@host:2113?nonsense=1", "unknown option"],
      ["esdb://user:secret@host:2113?tlsVerifyCert=false", "tlsCAFile"],
      ["esdb://user:secret@host:2113?keepAliveInterval=-1", "keepAliveInterval must be at least"],
      ["esdb://user:secret@host:port", "expected"],
    ] as const) {
      it(`is refused, without the password, for ${url.replace(/user:secret/, "…")}`, async () => {
        const { message, cause } = await opening(url);
        expect(message).to.contain(problem);
        expect(`${message} ${String(cause)}`).not.to.contain("secret");
      });
    }
  });
});
