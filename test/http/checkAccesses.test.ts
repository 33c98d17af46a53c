import { expect } from "chai";
import type { CheckAccesses } from "../../queries/queries.js";
import { failed, ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

describe("POST /documents/check-access/batch", () => {
  let app: AppUnderTest;
  before(async () => {
    app = await startAppWithFakes({
      queries: {
        checkAccesses: ({ checks }: CheckAccesses) =>
          Promise.resolve(
            ok(
              checks.map(({ documentId, email }) =>
                documentId === "gone"
                  ? failed({ type: "DocumentNotFound", id: documentId } as const)
                  : ok({ hasAccess: email === "ada@example.org" }),
              ),
            ),
          ),
      },
    });
  });
  after(() => app.stop());

  const ask = async (checks: unknown, token = "account") => {
    const response = await fetch(`${app.url}/api/indexing/documents/check-access/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ checks }),
    });
    return { status: response.status, body: (await response.json()) as { results?: unknown; detail?: unknown } };
  };
  const check = (datasource: string, id: string, email = "Ada@example.org ") => ({
    ...{ datasource, document_id: id, user_email: email },
  });

  it("answers in order, with what was asked as it was asked", async () => {
    const checks = [check("mine", "a"), check("mine", "gone"), check("mine", "a", "bob@example.org")];
    expect(await ask(checks)).to.deep.equal({
      status: 200,
      body: {
        results: [
          { has_access: true, ...checks[0] },
          {
            ...{ has_access: null, ...checks[1] },
            error: { status: 404, detail: 'There is no document with the id "gone".' },
          },
          { has_access: false, ...checks[2] },
        ],
      },
    });
  });

  it("refuses a limited account the checks of other datasources alone", async () => {
    const { status, body } = await ask([check("other", "a"), check("mine", "a")], "limited");
    expect(status).to.equal(200);
    const [other, mine] = body.results as { has_access: unknown; error?: { status: number } }[];
    expect([other?.has_access, other?.error?.status]).to.deep.equal([null, 403]);
    expect(mine?.has_access).to.equal(true);
  });

  it("refuses none, too many, and a blank email, naming the check", async () => {
    const none = await ask([]);
    expect([none.status, (none.body.detail as { type: unknown }[])[0]?.type]).to.deep.equal([422, "too_short"]);
    expect((await ask(Array.from({ length: 1_001 }, () => check("mine", "a")))).status).to.equal(422);
    const { status, body } = await ask([check("mine", "a"), check("mine", "a", " ")]);
    expect(status).to.equal(422);
    expect((body.detail as { loc: unknown }[])[0]?.loc).to.deep.equal(["body", "checks", 1, "user_email"]);
  });
});
