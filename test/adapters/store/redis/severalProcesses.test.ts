import { expect } from "chai";
import { groupClosure } from "../../../../projections/groupClosure/project.js";
import type { DomainEvent, RecordedEvent } from "../../../../src/events/domainEvent.js";
import { toPosition } from "../../../../src/shared/position.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { deliver } from "../../../support/givenProjection.js";
import { quickLease } from "../../../support/leasedProjector.js";
import { tokens } from "../../../support/readModelWriters.js";
import { holdProjecting, readRedis, writersOn, type RedisPlace } from "../../../support/redisReadModels.js";
import { recordEvents } from "../../../support/recordEvents.js";
import { describeOnRedis, sharedRedis } from "../../../support/redisServer.js";
import { projectElsewhere } from "./projectElsewhere.js";
import { newNamespace } from "../../../support/newNamespace.js";

const wiki = eventsOn("wiki");
const ann = wiki.email("ann");
const staff = [tokens.group(wiki.datasourceId, "staff")];
const one = (event: DomainEvent, after: number): readonly RecordedEvent[] => recordEvents([event], after);

describeOnRedis("several processes on one Redis", () => {
  let place: RedisPlace;
  beforeEach(async () => {
    place = { url: (await sharedRedis()).url, namespace: newNamespace() };
  });

  it("serve what another one projected, in every answer after that commit", async () => {
    const { access, close } = await readRedis(place);
    const other = await projectElsewhere(place);
    expect(await other.project(recordEvents([wiki.opened(), wiki.created("staff"), wiki.registered("ann")]))).to.equal(
      "committed",
    );
    for (let round = 0; round < 20; round++) {
      const before = await access.heldTokens(ann);
      expect(await other.project(one(wiki.joins("ann", "staff"), 100 + 10 * round))).to.equal("committed");
      expect(await access.holdsAny(wiki.datasourceId, ann, staff)).to.equal(true);
      expect((await access.heldTokens(ann)).tokens).to.deep.equal([...before.tokens, ...staff]);
      const left = one(wiki.leaves("ann", "staff"), 105 + 10 * round);
      const waiting = access.reached(left[0]?.position ?? toPosition(0), 60_000);
      expect(await other.project(left)).to.equal("committed");
      expect(await access.holdsAny(wiki.datasourceId, ann, staff)).to.equal(false);
      expect(await access.heldTokens(ann)).to.deep.equal(before);
      expect(await waiting).to.equal(true);
    }
    await other.close();
    close();
  });

  it("write nothing more when they stood still until another one had taken over", async () => {
    const old = await projectElsewhere(place, "quick");
    expect(await old.project(recordEvents([wiki.opened(), wiki.created("staff"), wiki.registered("ann")]))).to.equal(
      "committed",
    );
    old.pause();
    const heir = await holdProjecting(place, { leaseTiming: quickLease });
    const checkpoint = await heir.stores.groupClosure.checkpoint();
    const fromOld = old.project(one(wiki.joins("ann", "staff"), 100));
    old.resume();
    expect(await fromOld).to.equal("EngineUnavailable: The lease on the read models is lost: nothing was written.");
    expect(await heir.stores.groupClosure.checkpoint()).to.equal(checkpoint);
    expect(
      (await heir.stores.groupClosure.people([{ datasourceId: wiki.datasourceId, email: ann }]))[0]?.groups,
    ).to.have.length(0);
    await deliver(
      { projection: groupClosure, writer: heir.writers.groupClosure },
      one(wiki.renamed("staff", "crew"), 100),
    );
    heir.projecting.close();
    await old.close();
  });

  it("write nothing under a grant that was given back", async () => {
    const held = await holdProjecting(place, { leaseTiming: quickLease });
    await held.stores.catalogue.checkpoint();
    const lateWriters = writersOn(held.stores);
    await held.grant.release();
    const error = await deliver(
      { projection: groupClosure, writer: lateWriters.groupClosure },
      recordEvents([wiki.opened()]),
    ).catch((caught: unknown) => caught);
    expect(String(error)).to.equal("EngineUnavailable: The lease on the read models is lost: nothing was written.");
    held.projecting.close();
  });
});
