import { expect } from "chai";
import type { AuditQuestionAnswered } from "../../src/events/auditQuestion.js";
import { failed, ok } from "../../src/shared/result.js";
import { EngineUnavailable } from "../../src/shared/failures.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

const asOf = { at: "2026-01-31T18:00:00.000Z", position: "1204" };

describe("questions about the past and about other people", () => {
  let app: AppUnderTest;
  const recorded: { readonly answered: AuditQuestionAnswered["data"]; readonly isLaterPage: boolean }[] = [];
  let isLogAway = false;
  before(async () => {
    app = await startAppWithFakes({
      commands: {
        recordAuditQuestion: (command, { by }) => {
          if (isLogAway) return Promise.reject(new EngineUnavailable("It is away."));
          expect(by).to.equal("c1");
          recorded.push(command);
          return Promise.resolve(ok({ value: null, position: null }));
        },
      },
      audit: {
        access: () => Promise.resolve(ok({ has_access: false, ...asOf, explanation: [] })),
        history: () => Promise.resolve(ok({ items: [], total: 0, ...asOf })),
        search: ({ query }) =>
          Promise.resolve(
            query === "bad"
              ? failed({ type: "MomentInFuture", parameter: "as_of" } as const)
              : ok({ hits: [], total: 0, totalRelation: "eq" as const, ...asOf }),
          ),
      },
    });
  });
  after(() => app.stop());
  beforeEach(() => {
    recorded.length = 0;
    isLogAway = false;
  });

  const ask = (path: string) => fetch(`${app.url}${path}`, { headers: { authorization: "Bearer auditorKey" } });

  const questions = [
    [
      "audit/access?user=Ada@example.org&document=handbook/travel",
      "access",
      { user: "ada@example.org", document: "handbook/travel" },
    ],
    ["audit/who?document=handbook/travel", "who", { document: "handbook/travel" }],
    ["audit/what?user=ada@example.org", "what", { user: "ada@example.org" }],
    ["audit/history?group=handbook/staff", "history", { group: { datasource: "handbook", name: "staff" } }],
    ["audit/links?user=ada@example.org", "what", { user: "ada@example.org" }],
    [
      "audit/links?user=ada@example.org&document=handbook/travel",
      "access",
      { user: "ada@example.org", document: "handbook/travel" },
    ],
    ["audit/links?group=handbook/staff", "who", { group: { datasource: "handbook", name: "staff" } }],
    ["audit/changes?document=handbook/travel", "history", { document: "handbook/travel" }],
    ["audit/exposure?event=12", "exposure", { event: "12" }],
    ["beta/search?query=salaries&as_user=ada@example.org", "search", { user: "ada@example.org" }],
    ["beta/search?query=salaries&as_of=1204", "search", { user: "ada@example.org" }],
  ] as const;

  it("leave who, what, about whom and as of when, and never the text of a query", async () => {
    for (const [path, question, about] of questions) {
      expect((await ask(`/api/${path}`)).status, path).to.equal(200);
      expect(recorded.splice(0)).to.deep.equal([{ answered: { question, about, asOf: "1204" }, isLaterPage: false }]);
    }
  });

  it("are not answered where that cannot be written down", async () => {
    isLogAway = true;
    for (const [path] of questions) {
      const response = await ask(`/api/${path}`);
      expect(response.status).to.equal(503);
      expect(await response.json()).to.have.keys(["detail"]);
    }
  });

  it("leave nothing where there is no answer, and nothing for what a person finds as themselves", async () => {
    expect((await ask("/api/beta/search?query=bad&as_of=1204")).status).to.equal(422);
    expect(recorded).to.deep.equal([]);
  });

  it("are told to be later pages of an answer where they are", async () => {
    await ask("/api/beta/search?query=salaries&as_of=1204&start_page=1");
    expect(recorded.map(({ isLaterPage }) => isLaterPage)).to.deep.equal([true]);
  });

  it("stand in the log's lines with the credential's id", async () => {
    await ask("/api/audit/who?document=handbook/travel");
    expect(app.logLines.findLast(({ msg }) => msg === "request")).to.include({ credential: "c1" });
  });
});
