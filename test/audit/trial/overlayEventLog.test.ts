import { expect } from "chai";
import { OverlayEventLog } from "../../../src/audit/trial/openTrial.js";
import type { NewEvent } from "../../../commands/ports.js";
import { groupGraphStream } from "../../../src/events/streams.js";
import { toPosition } from "../../../src/shared/position.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { inStreams } from "../../support/inStreams.js";
import { recordedLog } from "../../support/recordedLog.js";

const wiki = eventsOn("wiki");
const stream = groupGraphStream(wiki.datasourceId);
const below = inStreams([wiki.opened(), wiki.created("a"), wiki.created("b"), wiki.created("c")]);
const asOf = toPosition(6);
const create = (name: string): NewEvent => ({
  id: `new ${name}`,
  event: wiki.created(name),
  metadata: { at: "2026-01-03T00:00:00Z", by: "operator", correlationId: "x", causationId: "x" },
});

describe("a log on top of another", () => {
  it("shows what was there at its moment, and goes on in memory", async () => {
    const log = recordedLog(below);
    const overlay = new OverlayEventLog(log, asOf);
    expect((await overlay.readLast(stream))?.revision).to.equal(1);
    expect(await overlay.append({ stream, expectedRevision: 1, events: [create("x"), create("y")] })).to.deep.equal({
      kind: "appended",
      revision: 3,
      position: toPosition(8),
    });
    const names = async (from: number, count?: number) =>
      (await overlay.readStream(stream, from, count)).map(({ event, revision, position }) => [
        "name" in event.data ? event.data.name : "",
        revision,
        Number(position),
      ]);
    expect(await names(0)).to.deep.equal([
      ["a", 0, 4],
      ["b", 1, 6],
      ["x", 2, 7],
      ["y", 3, 8],
    ]);
    expect(await names(1, 2)).to.deep.equal([
      ["b", 1, 6],
      ["x", 2, 7],
    ]);
    expect(await names(0, 1)).to.deep.equal([["a", 0, 4]]);
    expect(await names(3)).to.deep.equal([["y", 3, 8]]);
    expect((await overlay.readLast(stream))?.revision).to.equal(3);
    expect(await log.readStream(stream, 0)).to.have.length(3);
  });

  it("holds to expected revisions", async () => {
    const overlay = new OverlayEventLog(recordedLog(below), asOf);
    expect(await overlay.append({ stream, expectedRevision: "noStream", events: [create("x")] })).to.deep.equal({
      kind: "conflict",
      actualRevision: 1,
    });
    expect(
      await overlay.append({
        stream: groupGraphStream(eventsOn("other").datasourceId),
        expectedRevision: 0,
        events: [create("x")],
      }),
    ).to.deep.equal({ kind: "conflict", actualRevision: "noStream" });
    expect(overlay.appended).to.deep.equal([]);
  });
});
