import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Found {
  readonly results: readonly { readonly id: string }[];
  readonly corrected?: readonly { readonly from: string; readonly to: string }[];
}

describe("the corrections of a search, over HTTP", () => {
  let service: ServiceUnderTest;
  let ada: ApiClient;
  let grace: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    const document = (id: string, text: string, more: object = {}) => ({
      ...{ datasource: "wiki", id, title: id, file_type: "page" },
      body: { mime_type: "text/plain", text_content: text },
      ...more,
    });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    for (const email of ["ada@example.org", "grace@example.org"])
      await write("users", { datasource: "wiki", user: { email } });
    await write("documents", {
      documents: [
        document("light", "lighthouse"),
        document("extinguisher", "Ein Feuerlöscher hängt an der Wand, und ein FEUERLÖSCHER. Der Feuerlöscher ist rot."),
        document("keeper", "zephyrium", { permissions: { allowed_users: [{ email: "grace@example.org" }] } }),
      ],
    });
    ada = await service.person("ada@example.org");
    grace = await service.person("grace@example.org");
  });
  after(() => service.stop());

  const ask = async (client: ApiClient, query: string): Promise<readonly [readonly string[], Found["corrected"]]> => {
    const { status, body } = await client.get<Found>(`/api/beta/search?query=${encodeURIComponent(query)}`);
    expect(status).to.equal(200);
    return [body.results.map(({ id }) => id), body.corrected];
  };

  it("tell which word was taken for which", async () => {
    expect(await ask(ada, "Lighthuose")).to.deep.equal([["wiki__light"], [{ from: "Lighthuose", to: "lighthouse" }]]);
    const [, corrected] = await ask(ada, "feuerlösher lighthuose retry_lighthuose");
    expect(corrected).to.deep.equal([
      { from: "feuerlösher", to: "Feuerlöscher" },
      { from: "lighthuose", to: "lighthouse" },
    ]);
  });

  it("are left out where a word is held, quoted, or like no other", async () => {
    expect(await ask(ada, "lighthouse")).to.deep.equal([["wiki__light"], undefined]);
    expect(await ask(ada, "löscher")).to.deep.equal([["wiki__extinguisher"], undefined]);
    expect(await ask(ada, '"lighthuose"')).to.deep.equal([[], undefined]);
    expect(await ask(ada, "qqqqqqqq")).to.deep.equal([[], undefined]);
  });

  it("never propose a word that only other people's documents hold", async () => {
    expect(await ask(ada, "zephyrum")).to.deep.equal([[], undefined]);
    expect(await ask(grace, "zephyrum")).to.deep.equal([["wiki__keeper"], [{ from: "zephyrum", to: "zephyrium" }]]);
  });

  it("are told as those of the person whom an auditor asks for", async () => {
    const auditor = await service.person("audit@example.org", "auditor");
    const { body } = await auditor.get<Found>("/api/beta/search?query=zephyrum&as_user=grace@example.org");
    expect(body.corrected).to.deep.equal([{ from: "zephyrum", to: "zephyrium" }]);
    const other = await auditor.get<Found>("/api/beta/search?query=zephyrum&as_user=ada@example.org");
    expect(other.body).not.to.have.property("corrected");
  });
});
