import { expect } from "chai";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

/** What is looked at of answers of the audit. */
interface Asked {
  readonly items: readonly { readonly via?: object; readonly by_default?: boolean }[];
  readonly about?: { readonly by_default?: boolean };
}

const definition = { name: "page", property_definitions: [{ name: "effort", property_type: "INTEGER" }] };
const document = {
  datasource: "wiki",
  id: "a..b",
  title: "A",
  file_type: "page",
  body: { mime_type: "text/plain", text_content: "a" },
  last_modified: "2024-05-01T09:30:00Z",
};

describe("what is answered of datasources and their documents", () => {
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest();
    const subs = [{ name: "One", subs: [{ name: "Two" }] }];
    const wiki = { name: "wiki", subs, object_definitions: [definition], default_access: "nobody" };
    expect((await service.indexing.post("/api/indexing/datasources", wiki)).status).to.equal(200);
    const ada = { datasource: "wiki", user: { email: "ada@example.org" } };
    expect((await service.indexing.post("/api/indexing/users", ada)).status).to.equal(200);
  });
  after(() => service.stop());

  const push = async (fields: object = {}) => {
    const { status, body } = await service.indexing.post<{
      message: string;
      results?: { outcome: string; message: string }[];
    }>("/api/indexing/documents", { documents: { ...document, ...fields } });
    return { status, message: body.message, ...body.results?.[0], body: JSON.stringify(body) };
  };
  const hasAccess = async (): Promise<boolean> => {
    const asked = { datasource: "wiki", document_id: "a..b", user_email: "ada@example.org" };
    const { body } = await service.indexing.post<{ has_access: boolean }>(
      "/api/indexing/documents/check-access",
      asked,
    );
    return body.has_access;
  };

  it("takes back what it answered, and no other name or subs", async () => {
    const address = "/api/indexing/datasources/wiki";
    const { body } = await service.indexing.get<{ subs: object[] }>(address);
    const put = await service.indexing.put(address, body);
    expect([put.status, put.body]).to.deep.equal([200, body]);
    for (const change of [{ name: "other_wiki" }, { subs: [] }, { subs: [{ name: "One" }] }]) {
      const changed = await service.indexing.put(address, { ...body, ...change });
      expect(changed.status, JSON.stringify(change)).to.equal(422);
      expect(changed.body).to.deep.nested.include({ "detail[0].type": "extra_forbidden" });
    }
  });

  it("answers subs that were added nested as they were made", async () => {
    const sub = { name: "Three", subs: [{ name: "Four" }, { name: "Five", key: "fünf".replace("ü", "ue") }] };
    const { body } = await service.indexing.post("/api/indexing/datasources/wiki/subs", sub);
    const child = (name: string, key: string) => ({ name, key, parent_key: "three", subs: [] });
    expect(body).to.deep.equal({
      ...{ name: "Three", key: "three", parent_key: null },
      subs: [child("Four", "four"), child("Five", "fuenf")],
    });
  });

  it("shows documents without permissions to whom the datasource says, from the next push on, and explains it", async () => {
    const auditor = await service.person("ada@example.org", "auditor");
    const explain = async (): Promise<string> => {
      const asked = "/api/audit/access?user=ada@example.org&document=wiki%2Fa..b";
      return JSON.stringify((await auditor.get(asked)).body);
    };
    expect((await push()).message).to.match(/^document sent to the indexing pipeline\. .* nobody sees it\.$/);
    expect(await hasAccess()).to.equal(false);
    expect(await explain()).to.include("default_access was nobody");
    await service.indexing.put("/api/indexing/datasources/wiki", { default_access: "anonymous" });
    expect(await hasAccess()).to.equal(false);
    expect((await push()).outcome).to.equal("sent");
    expect(await hasAccess()).to.equal(true);
    expect(await explain())
      .to.include("as the datasource's default_access says")
      .and.include('"by_default":true');
    const ask = async (question: string): Promise<Asked> =>
      (await auditor.get<Asked>(`/api/audit/${question}${question.includes("user=") ? "" : "&document=wiki%2Fa..b"}`))
        .body;
    const byDefault = { grant: "anonymous", groups: [], by_default: true };
    const tellsDefault = async (): Promise<readonly unknown[]> => {
      const [who, what] = [await ask("who?"), await ask("what?user=ada@example.org")];
      const [exposure, effective] = [await ask("exposure?grant=anonymous"), await ask("history?effective=true")];
      const history = await ask("history?");
      return [
        ...[who, what].map(({ items }) => items[0]?.via),
        ...[exposure, effective].map(({ items }) => items[0]?.by_default),
        exposure.about?.by_default,
        history.items.map(({ by_default: isByDefault = false }) => isByDefault),
      ];
    };
    expect(await tellsDefault()).to.deep.equal([byDefault, byDefault, true, true, true, [false, true]]);
    expect(await push()).to.deep.include({
      outcome: "already_indexed",
      message: "last_modified and permissions are unchanged: the indexed version stays.",
    });
    const permissions = { allow_anonymous_access: true };
    expect((await push({ permissions, last_modified: "2024-05-02T09:30:00Z" })).outcome).to.equal("sent");
    expect((await ask("who?")).items[0]?.via).to.deep.equal({ grant: "anonymous", groups: [] });
    expect((await push({ permissions: {} })).outcome).to.equal("sent");
    expect(await hasAccess()).to.equal(false);
  });

  it("takes every number that JSON writes for an INTEGER", async () => {
    for (const value of [9007199254740991, 9007199254740992, -1.5, 0, -1e300, 5e-324])
      expect((await push({ id: "n", custom_properties: [{ name: "effort", value }] })).status, `${value}`).to.equal(
        200,
      );
  });

  it("takes two ways of writing one letter for one name and one email", async () => {
    const [composed, apart] = ["Büro".normalize("NFC"), "Büro".normalize("NFD")];
    const { indexing } = service;
    const at = (path: string, body: object) => indexing.post(`/api/indexing/${path}`, { datasource: "wiki", ...body });
    expect((await at("groups", { group: { name: apart } })).status).to.equal(200);
    expect((await at("groups", { group: { name: composed } })).status).to.equal(409);
    expect((await at("users", { user: { email: `${apart}@example.org` } })).status).to.equal(200);
    expect((await at("users", { user: { email: `${composed}@example.org` } })).status).to.equal(409);
    const membership = { group_name: composed, member_email: "ada@example.org" };
    expect((await at("memberships", { membership })).status).to.equal(200);
    expect((await push({ permissions: { allowed_groups: [apart] } })).status).to.equal(200);
    expect(await hasAccess()).to.equal(true);
  });
});
