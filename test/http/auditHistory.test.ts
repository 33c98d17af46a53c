import { expect } from "chai";
import type { AccessAnswer, WhatIfAnswer } from "../../src/audit/auditQueries.js";
import type { WhoAnswer } from "../../src/audit/historyQuestions.js";
import { apiRoutes } from "../../src/wiring/features.js";
import { isTriable } from "../../src/audit/whatIf/requests/createWhatIf.js";
import { tokensOf } from "../support/tokenPositions.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const people = Array.from({ length: 25 }, (_, index) => `person${String(index).padStart(2, "0")}@example.org`);

describe("pages of answers about the past", () => {
  let service: ServiceUnderTest;
  let auditor: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    auditor = await service.person("eve@example.org", "auditor");
    await service.indexing.request("POST", "/api/indexing/datasources", { name: "wiki" });
    for (const email of people)
      await service.indexing.request("POST", "/api/indexing/users", { datasource: "wiki", user: { email } });
    const document = {
      datasource: "wiki",
      id: "plan",
      title: "Plan",
      body: { mime_type: "text/plain", text_content: "Plan." },
      file_type: "page",
    };
    await service.indexing.request("POST", "/api/indexing/documents", { documents: document });
  });
  after(() => service.stop());

  const who = async (query: string): Promise<WhoAnswer> => {
    const { status, body } = await auditor.request("GET", `/api/audit/who?document=wiki/plan&${query}`, undefined);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as WhoAnswer;
  };

  it("are all of one moment, whatever happens between them", async () => {
    const first = await who("count=10");
    await service.indexing.request("POST", "/api/indexing/users", {
      datasource: "wiki",
      user: { email: "aaa@example.org" },
    });
    const second = await who(`count=10&next=${first.next}`);
    // The same page once more: what is kept for the next one has gone on meanwhile.
    expect(await who(`count=10&next=${first.next}`)).to.deep.equal(second);
    const third = await who(`count=10&next=${second.next}`);
    expect([...first.items, ...second.items, ...third.items].map(({ user_email: email }) => email)).to.deep.equal(
      people,
    );
    expect(
      [first, second, third].map(({ total, position, at, next }) => [total, position, at, typeof next]),
    ).to.deep.equal([
      [25, first.position, first.at, "string"],
      [25, first.position, first.at, "string"],
      [25, first.position, first.at, "undefined"],
    ]);
    expect((await who("")).total).to.equal(26);
  });

  it("see the write that was answered just before, and the moment of its token for ever", async () => {
    const { headers } = await service.indexing.request("POST", "/api/indexing/users", {
      datasource: "wiki",
      user: { email: "zoe@example.org" },
    });
    const now = await who("count=1000");
    expect(now.items.at(-1)).to.deep.equal({
      user_email: "zoe@example.org",
      via: { grant: "anonymous", groups: [], by_default: true },
    });
    const token = headers.get("x-consistency-token") ?? "";
    const then = await who(`count=1000&at=${token}`);
    expect(then.items).to.deep.equal(now.items);
    expect(then.position).to.equal(String(await tokensOf(service).positionOf(token)));
  });

  it("are told of what would be, those who gain before those who lose, whatever happens between them", async () => {
    const { body: everybody } = await auditor.request("GET", "/api/audit/who?document=wiki/plan&count=1000", undefined);
    const losing = (everybody as WhoAnswer).items.map(({ user_email: email }) => email);
    const welcome = {
      datasource: "wiki",
      id: "welcome",
      title: "Welcome",
      file_type: "page",
      permissions: { allowed_groups: ["new"] },
    };
    const requests = [
      { method: "DELETE", path: "/api/indexing/documents/wiki/plan" },
      ...[
        ["groups", { group: { name: "new" } }],
        ["users", { user: { email: "new@example.org" } }],
        ["memberships", { membership: { group_name: "new", member_email: "new@example.org" } }],
      ].map(([path, body]) => ({
        method: "POST",
        path: `/api/indexing/${path as string}`,
        body: { datasource: "wiki", ...(body as object) },
      })),
      {
        method: "POST",
        path: "/api/indexing/documents",
        body: { documents: { ...welcome, id: "Not an id!" } },
      },
      { method: "POST", path: "/api/indexing/documents", body: { documents: [welcome] } },
    ];
    const tryOut = async (query: string, sent: readonly object[] = requests): Promise<WhatIfAnswer> => {
      const { status, body } = await auditor.request("POST", `/api/audit/what-if?${query}`, { requests: sent });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body as WhatIfAnswer;
    };
    const pages = [await tryOut("count=10")];
    await service.indexing.request("POST", "/api/indexing/users", {
      datasource: "wiki",
      user: { email: "later@example.org" },
    });
    for (let { next } = pages[0] as WhatIfAnswer; next !== undefined; next = pages.at(-1)?.next)
      pages.push(await tryOut(`count=10&next=${next}`));
    const [first] = pages as [WhatIfAnswer];
    expect(first.outcomes.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 422, 200]);
    expect(
      pages.flatMap(({ items }) => items.map(({ change, user_email: email, document }) => [change, email, document])),
    ).to.deep.equal([
      ["gains", "new@example.org", "wiki/welcome"],
      ...losing.map((email) => ["loses", email, "wiki/plan"]),
    ]);
    const { at, position } = first;
    for (const [index, page] of pages.entries()) {
      expect(page).to.deep.include({
        at,
        position,
        total: losing.length + 1,
        total_gains: 1,
        total_losses: losing.length,
        total_relation: "eq",
      });
      expect(page.outcomes.length > 0).to.equal(index === 0);
    }
    // The same written otherwise: nothing of the kind was tried here before, as in another process.
    const again = await tryOut(
      `count=1000&next=${first.next}`,
      requests.with(0, { method: "delete", path: "/api/indexing/documents/wiki/plan" }),
    );
    expect(again.items).to.deep.equal(pages.slice(1).flatMap(({ items }) => items));
    expect((await auditor.request("POST", "/api/audit/what-if?next=n1-zzzzz-1-1", { requests })).status).to.equal(422);
  });

  it("can be asked of every request that changes something, or says why not", async () => {
    const changing = apiRoutes.filter(
      ({ method, path }) => method !== "GET" && path.startsWith("/api/indexing") && !path.includes("/check-access"),
    );
    const tried = apiRoutes.filter((route) => isTriable(route));
    const explained = apiRoutes.filter(({ whyNotTried }) => whyNotTried !== undefined);
    expect([...tried, ...explained]).to.have.members(changing);
    expect(explained.map(({ path }) => path)).to.have.members([
      "/api/indexing/syncs/{sync_id}/commit",
      "/api/indexing/groups/{datasource}/{group_name}/members",
    ]);
    const paths = ["/api/indexing/syncs/s1/commit?confirm=true", "/api/indexing/nothing", "/api/admin/undo"];
    const requests = paths.map((path) => ({ method: "POST", path }));
    const { body } = await auditor.request<WhatIfAnswer>("POST", "/api/audit/what-if", { requests });
    expect(body.outcomes.map(({ status }) => status)).to.deep.equal([501, 404, 404]);
    expect(body.outcomes[0]?.detail).to.contain("try their deletions");
  });

  it("are told apart from the future, and from a moment without the datasource", async () => {
    const future = await auditor.request("GET", "/api/audit/who?document=wiki/plan&at=2999-01-01", undefined);
    expect(future.status).to.equal(422);
    const before = await who("at=2001-01-01");
    expect(before).to.deep.include({ items: [], total: 0, position: "0" });
    expect(before.missing?.kind).to.equal("datasource_absent");
  });
});

describe("a question about now, while a projection stands still", () => {
  let service: ServiceUnderTest;
  let grace: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    grace = await service.person("grace@example.org", "auditor", "operator");
    const write = (path: string, body: object) => service.indexing.request("POST", `/api/indexing/${path}`, body);
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await write("groups", { datasource: "wiki", group: { name: "hr" } });
    await write("memberships", {
      datasource: "wiki",
      membership: { group_name: "hr", member_email: "ada@example.org" },
    });
    await write("documents", {
      documents: {
        datasource: "wiki",
        id: "pay",
        title: "Pay",
        file_type: "page",
        body: { mime_type: "text/plain", text_content: "Pay." },
        permissions: { allowed_groups: ["hr"] },
      },
    });
  });
  after(() => service.stop());

  const mayAda = async (): Promise<AccessAnswer> =>
    (await grace.request("GET", "/api/audit/access?user=ada@example.org&document=wiki/pay", undefined))
      .body as AccessAnswer;
  const served = async (): Promise<unknown> =>
    (
      (
        await service.indexing.request("POST", "/api/indexing/documents/check-access", {
          datasource: "wiki",
          document_id: "pay",
          user_email: "ada@example.org",
        })
      ).body as { has_access: boolean }
    ).has_access;
  const tell = async (action: string): Promise<void> => {
    const { status } = await grace.request("POST", `/api/admin/projections/groupClosure/${action}`, {});
    expect(status).to.equal(200);
  };
  /** Asks until it is so. */
  const until = async (isSo: (answer: AccessAnswer) => boolean): Promise<AccessAnswer> => {
    for (;;) {
      const answer = await mayAda();
      if (isSo(answer)) return answer;
    }
  };

  /** Once more where a projector, which hears of it a moment later, has followed the write all the same. */
  const paused = async (
    write: () => Promise<unknown>,
    undo: () => Promise<unknown>,
    isSo: (answer: AccessAnswer) => boolean,
  ): Promise<AccessAnswer> => {
    for (;;) {
      await tell("pause");
      await write();
      const answer = await mayAda();
      if (isSo(answer)) return answer;
      await undo();
      await tell("resume");
    }
  };
  const join = () =>
    service.indexing.request("POST", "/api/indexing/memberships", {
      datasource: "wiki",
      membership: { group_name: "hr", member_email: "ada@example.org" },
    });
  const leave = () =>
    service.indexing.request("DELETE", "/api/indexing/memberships/wiki/hr/user/ada@example.org", undefined);

  it("says yes or no by the log, and what is served otherwise until it has come so far", async () => {
    await until(({ has_access: hasAccess }) => hasAccess);
    const withdrawn = await paused(leave, join, ({ still_served: still }) => still !== undefined);
    expect([withdrawn.has_access, withdrawn.missing?.kind, withdrawn.still_served?.kind]).to.deep.equal([
      false,
      "not_a_member",
      "being_projected",
    ]);
    await tell("resume");
    const notServed = await until(({ still_served: still }) => still === undefined);
    expect([notServed.missing?.kind, await served()]).to.deep.equal(["not_a_member", false]);
    const granted = await paused(join, leave, ({ has_access: hasAccess }) => !hasAccess);
    expect([granted.has_access, granted.missing?.kind]).to.deep.equal([false, "being_projected"]);
    await tell("resume");
    expect((await until(({ has_access: hasAccess }) => hasAccess)).explanation[0]?.fact).to.equal(
      "wiki/pay grants the group hr",
    );
  });
});
