import { rm } from "node:fs/promises";
import { expect } from "chai";
import { Operator } from "../rebuild/operator.js";
import type { ApiClient } from "../support/apiClient.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";
import { ServerProcess } from "../support/serverProcess.js";
import { clientsOf, credentialsBy, newDataDir } from "../support/startService.js";

const document = "handbook/travel";
const [ada, bob] = ["ada@example.org", "bob@example.org"];

interface People {
  readonly items: readonly { readonly user_email: string }[];
}

interface Keepers {
  /** True where each process that answers requests keeps the permission history: it needs no projector for that. */
  readonly isKeptByApi: boolean;
}

function auditInEveryRole(
  { isKeptByApi }: Keepers,
  engines: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
): void {
  let settings: NodeJS.ProcessEnv & { readonly DATA_DIR: string };
  let api: ServerProcess;
  let projector: ServerProcess;
  let operator: Operator;
  let indexing: ApiClient;
  let auditor: ApiClient;
  /** The moment at which the document was there. */
  let indexed: string;

  const start = (role: "api" | "all" | "projector"): Promise<ServerProcess> =>
    ServerProcess.start(settings.DATA_DIR, { ...settings, ROLE: role });

  before(async () => {
    settings = { ...(await engines()), CONSISTENCY_TIMEOUT_MS: "1000", DATA_DIR: newDataDir() };
    projector = await start("projector");
    api = await start("api");
    operator = await Operator.of(settings);
    const { serviceAccount, person } = clientsOf(api.url, credentialsBy(operator.commands));
    [indexing, auditor] = [await serviceAccount({}), await person("eve@example.org", "auditor")];
    await indexing.post("/api/indexing/datasources", { name: "handbook" });
    await register(ada);
    const { headers } = await indexing.post("/api/indexing/documents", {
      documents: {
        datasource: "handbook",
        id: "travel",
        title: "Travel",
        file_type: "page",
        body: { mime_type: "text/plain", text_content: "receipts" },
      },
    });
    indexed = headers.get("x-consistency-token") ?? "";
  });

  after(async () => {
    await operator.leave();
    for (const server of [api, projector]) await server.terminate();
    await rm(settings.DATA_DIR, { recursive: true });
  });

  const register = async (email: string): Promise<void> => {
    expect((await indexing.post("/api/indexing/users", { datasource: "handbook", user: { email } })).status).to.equal(
      200,
    );
  };
  const ask = (server: ServerProcess, question: string): Promise<Response> =>
    fetch(`${server.url}/api/audit/${question}`, { headers: { authorization: `Bearer ${auditor.credential}` } });
  /** Who could see it, as this process says; asked until it knows. */
  const seenBy = async (server: ServerProcess): Promise<readonly string[]> => {
    const { body } = await auditor.at(server.url).get<People>(`/api/audit/who?document=${document}`);
    return body.items.map(({ user_email: email }) => email);
  };

  /** Until what is served has come as far as what the clients have written. */
  const untilServed = async (): Promise<void> => {
    const { body } = await indexing.at(api.url).post<{ has_access: boolean }>("/api/indexing/documents/check-access", {
      datasource: "handbook",
      document_id: "travel",
      user_email: ada,
    });
    expect(body.has_access).to.equal(true);
  };

  it("is answered by an api process, of one person and of all", async () => {
    expect(await seenBy(api)).to.deep.equal([ada]);
    // What is granted and not served yet is a no, and this question waits for nothing.
    await untilServed();
    const { body } = await auditor
      .at(api.url)
      .get<{ has_access: boolean }>(`/api/audit/access?user=${ada}&document=${document}`);
    expect(body.has_access).to.equal(true);
  });

  it("is not answered by a projector, which is asked for its health and figures alone", async () => {
    expect((await ask(projector, `who?document=${document}`)).status).to.equal(404);
    const metrics = await (await fetch(`${projector.url}/metrics`)).text();
    expect(/^enterprise_search_read_model_position\{read_model="permissionHistory"\}/m.test(metrics)).to.equal(
      !isKeptByApi,
    );
    expect(/^enterprise_search_bulk_removals /m.test(metrics)).to.equal(!isKeptByApi);
  });

  it("is answered beside a process that does everything, which answers the same", async () => {
    const all = await start("all");
    expect(await seenBy(all)).to.deep.equal([ada]);
    await all.terminate();
    expect(await seenBy(api)).to.deep.equal([ada]);
  });

  it(`${isKeptByApi ? "goes on" : "is refused of what is new, in a sentence, and answered of the past"} while no projector runs`, async () => {
    await projector.kill();
    await register(bob);
    if (isKeptByApi) expect(await seenBy(api)).to.deep.equal([ada, bob]);
    else {
      const refused = await ask(api, `who?document=${document}`);
      expect(refused.status).to.equal(503);
      expect(refused.headers.get("retry-after")).to.match(/^\d+$/);
      expect(((await refused.json()) as { detail: string }).detail).to.match(/\.$/);
    }
    const past = (await (
      await ask(api, `who?document=${document}&at=${encodeURIComponent(indexed)}`)
    ).json()) as People;
    expect(past.items.map(({ user_email: email }) => email)).to.deep.equal([ada]);
    projector = await start("projector");
    expect(await seenBy(api)).to.deep.equal([ada, bob]);
  });
}

describe("the past, asked for in every role", () => {
  describe("with everything embedded", () => auditInEveryRole({ isKeptByApi: false }, () => ({})));

  describeOnRedis("with Redis", () =>
    auditInEveryRole({ isKeptByApi: true }, async () => ({
      REDIS_URL: (await sharedRedis()).url,
      NAMESPACE: newNamespace(),
    })),
  );
});
