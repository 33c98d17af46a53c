import { expect } from "chai";
import type { PermissionLog } from "../../../src/audit/ports/export.js";
import { permissionLogOf } from "../../../src/audit/export/auditExport.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import type { Upcasters } from "../../../src/events/upcasters.js";
import type { Position } from "../../../src/shared/position.js";
import { openLogOn } from "../../adapters/log/eventstoredb/openLog.js";
import { newFolder, openLogIn, removing } from "../../adapters/log/sqlite/temporaryLog.js";
import { appended, newEvent, type EventLogUnderTest } from "../../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../../support/eventStoreDb/eventStoreDouble.js";
import { events as examples } from "../../support/examples.js";
import { newNamespace } from "../../support/newNamespace.js";
import { recordEvents } from "../../support/recordEvents.js";

const same = (data: object): object => data;
const newer: Upcasters = { GroupRenamed: [same], DatasourceUpdated: [same, same] };

/**
 * The log that exports are made from, on any engine; `open` gives the log to this program, or to a newer one that
 * writes other shapes.
 */
function permissionLog(open: () => Promise<(upcasters?: Upcasters) => Promise<EventLogUnderTest>>): void {
  let reopen: (upcasters?: Upcasters) => Promise<EventLogUnderTest>;
  let under: EventLogUnderTest;
  beforeEach(async () => {
    reopen = await open();
    under = await reopen();
  });
  afterEach(() => under.close());

  async function write({ log }: EventLogUnderTest, event: DomainEvent): Promise<Position> {
    const [{ stream }] = recordEvents([event]) as [ReturnType<typeof recordEvents>[number]];
    const expectedRevision = (await log.readLast(stream))?.revision ?? "noStream";
    return (await appended(log, { stream, expectedRevision, events: [newEvent(event)] })).position;
  }

  async function read(log: PermissionLog, upTo: Position): Promise<readonly string[]> {
    const types: string[] = [];
    for await (const { events } of log.events(upTo, new AbortController().signal))
      types.push(...events.map(({ event }) => event.type));
    return types;
  }

  it("is read from its beginning to the position that is asked for, permissions alone", async () => {
    const { DatasourceRegistered, ApiKeyCreated, UserRegistered, GroupCreated, DocumentIndexed } = examples;
    await write(under, DatasourceRegistered);
    await write(under, ApiKeyCreated);
    const end = await write(under, UserRegistered);
    await write(under, GroupCreated);
    await write(under, DocumentIndexed);
    const log = permissionLogOf(under.source);
    expect(await read(log, end)).to.deep.equal(["DatasourceRegistered", "UserRegistered"]);
    expect(await read(log, await log.head())).to.deep.equal([
      "DatasourceRegistered",
      "UserRegistered",
      "GroupCreated",
      "DocumentIndexed",
    ]);
  });

  for (const type of ["GroupRenamed", "DatasourceUpdated"] as const) {
    it(`cannot be read past a ${type} that this program does not understand`, async () => {
      await write(under, examples.DatasourceRegistered);
      const program = await reopen(newer);
      const end = await write(program, examples[type]);
      await program.close();
      const outcome = await read(permissionLogOf(under.source), end).then(
        () => "read",
        (error: Error) => error.message,
      );
      expect(outcome).to.contain(`${type} was written in version `);
    });
  }
}

describe("the log that exports are made from", () => {
  describe("in SQLite", () =>
    permissionLog(async () => {
      const folder = newFolder();
      let isFirst = true;
      return async (upcasters) => {
        const opened = await openLogIn(folder, upcasters);
        if (!isFirst) return opened;
        isFirst = false;
        return removing(opened, folder);
      };
    }));

  describe("in EventStoreDB", () => {
    let server: EventStoreDouble;
    before(async () => {
      server = await EventStoreDouble.start();
    });
    after(() => server.stop());
    permissionLog(async () => {
      const namespace = newNamespace();
      return (upcasters) => openLogOn(server.url, namespace, upcasters);
    });
  });
});
