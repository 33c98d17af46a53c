import { expect } from "chai";
import { toGroupId } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { ok } from "../../src/shared/result.js";
import { incarnationOfFakes, startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

describe("replacements of members that concern the same people", () => {
  const atOnce = 120;
  let app: AppUnderTest;
  let newest = 1n;
  let listed = 0;
  before(async () => {
    app = await startAppWithFakes({
      audit: {
        async groupMembers() {
          listed++;
          const asOf = toPosition(newest);
          await new Promise(setImmediate);
          return ok({
            ...{ datasourceId: incarnationOfFakes, groupId: toGroupId("g1"), asOf },
            ...{ members: new Set<never>(), unregistered: [] },
          });
        },
      },
      commands: {
        async replaceGroupMembers({ known }) {
          await new Promise(setImmediate);
          const isOutdated = known.asOf < newest;
          if (!isOutdated) newest++;
          const value = isOutdated ? ({ kind: "outdated" } as const) : ({ kind: "done", joined: 1, left: 0 } as const);
          return ok({ value, position: toPosition(newest) });
        },
      },
    });
  });
  after(() => app.stop());

  it("happen all, one after the other, and each looks at the members once", async () => {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        fetch(`${app.url}/api/indexing/groups/mine/g${index}/members`, {
          method: "PUT",
          headers: { authorization: "Bearer account", "content-type": "application/json" },
          body: JSON.stringify({ members: [{ member_email: "ada@example.org" }] }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect(Number(newest)).to.equal(1 + atOnce);
    expect(listed).to.equal(atOnce);
  });
});
