import { expect } from "chai";
import { newSyncRunId } from "../../../src/shared/ids.js";
import { createCommands } from "../../../commands/createCommands.js";
import type { EventLog, StreamEvent } from "../../../commands/ports.js";
import { openSqliteEventLog } from "../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { foldGroupGraphs } from "../../../src/daemon/foldGroupGraphs.js";
import { datasourceId, operator, wiki } from "../../support/examples.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { accepted, now } from "../temporaryCommands.js";

const groups = 3_000;
const nested = (index: number) => ({
  datasource: wiki,
  group: `g${index}`,
  member: { kind: "group", name: `g${index + 1}` } as const,
});

describe("a group graph that was folded ahead", () => {
  const folder = temporaryFolder("fold");
  let log: Awaited<ReturnType<typeof openSqliteEventLog>>;
  before(async () => {
    log = await openSqliteEventLog({ file: `${folder.path}/log.sqlite` });
  });
  after(async () => {
    await log.close();
    folder.remove();
  });

  it("is not read again by the first command, and commands that come meanwhile are decided on all of it", async () => {
    const minting = {
      datasourceId: () => datasourceId,
      groupId: () => `id${++minted}` as never,
      syncRunId: newSyncRunId,
      fileId: () => expect.fail("no file is uploaded"),
      agentId: () => expect.fail("no agent is created"),
      credential: () => expect.fail("no credential is asked for"),
      linkSecret: () => expect.fail("no link is asked for"),
    };
    let minted = 0;
    const before = createCommands({ log, productName: "amber", now: () => now, minting });
    await accepted(
      before.registerDatasource(
        { name: wiki, displayName: null, icon: null, subs: [], objectDefinitions: [] },
        operator,
      ),
    );
    await Promise.all(
      Array.from({ length: groups }, (_, index) =>
        accepted(before.createGroup({ datasource: wiki, name: `g${index}` }, operator)),
      ),
    );

    const counting = countingReads(log);
    const cold = createCommands({ log: counting.log, productName: "amber", now: () => now, minting });
    const folded = cold.foldGroupGraph(datasourceId);
    await accepted(cold.addMembership(nested(0), operator));
    await folded;
    expect(counting.graphEvents()).to.equal(groups);
    await accepted(cold.addMembership(nested(1), operator));
    expect(counting.graphEvents()).to.equal(groups);
    const cycle = await cold.addMembership(
      { datasource: wiki, group: "g2", member: { kind: "group", name: "g0" } },
      operator,
    );
    expect(cycle).to.deep.nested.include({ ok: false, "error.type": "MembershipCycle" });
  });

  it("is left half folded where the process ends meanwhile", async () => {
    let reads = 0;
    const closing: EventLog = {
      append: (request) => log.append(request),
      readLast: (stream) => log.readLast(stream),
      readStream: (stream, fromRevision, maxCount) => log.readStream(stream, fromRevision, maxCount),
      readEvents: async (stream, fromRevision, maxCount) => {
        const events = await log.readEvents(stream, fromRevision, maxCount);
        if (++reads === 1) await log.close();
        return events;
      },
    };
    const { foldGroupGraph } = createCommands({ log: closing, productName: "amber", now: () => now });
    const listDatasources = async () => ({ ok: true, value: [{ datasourceId }] });
    await foldGroupGraphs(foldGroupGraph, { listDatasources } as never, new AbortController().signal);
    expect(reads).to.equal(1);
  });
});

/** Counts the events that are read from the stream of the group graph. */
function countingReads(log: EventLog): { readonly log: EventLog; graphEvents(): number } {
  let graphEvents = 0;
  const counted = async (stream: string, read: Promise<readonly StreamEvent[]>) => {
    const events = await read;
    if (stream.startsWith("groupGraph-")) graphEvents += events.length;
    return events;
  };
  return {
    graphEvents: () => graphEvents,
    log: {
      append: (request) => log.append(request),
      readLast: (stream) => log.readLast(stream),
      readStream: (stream, fromRevision, maxCount) => log.readStream(stream, fromRevision, maxCount),
      readEvents: (stream, fromRevision, maxCount) => counted(stream, log.readEvents(stream, fromRevision, maxCount)),
    },
  };
}
