import { expect } from "chai";
import { Admission, type LookedAtReadModel } from "../../src/daemon/admission.js";
import { ToldProjectionFeed } from "../../src/daemon/projectionFeed.js";
import { beginning, toPosition } from "../../src/shared/position.js";

describe("the admission of a read model", () => {
  it("does not rest on the checkpoint of a storage that has taken the place of what is opened", async () => {
    let isInPlace = false;
    const served = {
      // A new file, of which nothing speaks against this log.
      readModel: { name: "search", categories: [], checkpoint: async () => ({ position: beginning, landmark: null }) },
      version: () => 1,
      // The old one is ahead of the log, which has gone back in time.
      reader: () => ({ position: async () => toPosition(9), reached: async () => true }),
      isInPlace: () => isInPlace,
    } as unknown as LookedAtReadModel;
    const log = { head: async () => toPosition(6), holds: async () => true };
    const admission = new Admission(served, { log, feed: new ToldProjectionFeed(), mayBeBehind: false });
    await admission.look(0);
    expect(admission.refusal).to.equal("ofAnotherLog");
    isInPlace = true;
    await admission.look(0);
    expect(admission.refusal).to.equal(null);
  });
});
