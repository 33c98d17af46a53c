import { expect } from "chai";
import * as fc from "fast-check";
import { currentVersion, upcast, upcasters, type Upcasters } from "../../src/events/upcasters.js";
import { propertyRuns } from "../support/propertyRuns.js";

interface FirstShape {
  readonly fullName: string;
}
interface SecondShape {
  readonly first: string;
  readonly last: string;
}

const twice: Upcasters = {
  UserRenamed: [
    ({ fullName }: FirstShape): SecondShape => ({
      first: fullName.split(" ")[0] ?? "",
      last: fullName.split(" ")[1] ?? "",
    }),
    ({ first, last }: SecondShape) => ({ name: `${last}, ${first}` }),
  ],
};

describe("upcasting", () => {
  it("lifts an event through every version that came after it was written", () => {
    const lifted = { type: "UserRenamed", data: { name: "Lovelace, Ada" } };
    expect(upcast({ type: "UserRenamed", version: 1, data: { fullName: "Ada Lovelace" } }, twice)).to.deep.equal(
      lifted,
    );
    expect(upcast({ type: "UserRenamed", version: 2, data: { first: "Ada", last: "Lovelace" } }, twice)).to.deep.equal(
      lifted,
    );
    expect(upcast({ type: "UserRenamed", version: 3, data: { name: "Lovelace, Ada" } }, twice)).to.deep.equal(lifted);
  });

  it("leaves an event of the current version as it is, and other types alone", () => {
    fc.assert(
      fc.property(fc.constantFrom("UserRegistered", "GroupCreated"), fc.object(), (type, data) => {
        expect(upcast({ type, version: 1, data }, twice)).to.deep.equal({ type, data });
      }),
      propertyRuns(100),
    );
  });

  it("writes events in the version after the last step", () => {
    expect(currentVersion("UserRenamed", twice)).to.equal(3);
    expect(currentVersion("GroupCreated", twice)).to.equal(1);
  });

  it("opens documents without permissions on a datasource of before there was a choice", () => {
    const registered = upcast({ type: "DatasourceRegistered", version: 1, data: { name: "wiki" } });
    expect(registered.data).to.deep.equal({ name: "wiki", defaultAccess: "anonymous" });
    expect(currentVersion("DatasourceUpdated")).to.equal(2);
  });

  it("nests nothing in a sub of before several could be added at once, and keeps what is nested", () => {
    const data = { datasourceId: "d1", name: "Guides", key: "guides", parentKey: null };
    const lifted = (more: object) => upcast({ type: "SubAdded", version: 1, data: { ...data, ...more } });
    expect(lifted({})).to.deep.equal({ type: "SubAdded", data: { ...data, subs: [] } });
    const subs = [{ name: "Travel", key: "travel" }];
    expect(lifted({ subs }).data).to.deep.equal({ ...data, subs });
    expect(currentVersion("SubAdded")).to.equal(2);
  });

  it("binds limits of before incarnations counted to none, for the account's next request to bind them", () => {
    const data = { id: "account1", name: "crawler", secretSha256: "ab", expiresAt: null };
    const lifted = (datasources: readonly string[] | null) =>
      upcast({ type: "ServiceAccountCreated", version: 1, data: { ...data, datasources } }).data;
    expect(lifted(["wiki"])).to.deep.equal({ ...data, datasources: [{ name: "wiki", datasourceId: null }] });
    expect(lifted(null)).to.deep.equal({ ...data, datasources: null });
  });

  it("gives a key of before there were roles none", () => {
    const data = { id: "key1", email: "ada@example.org", secretSha256: "ab", expiresAt: null };
    expect(upcast({ type: "ApiKeyCreated", version: 1, data })).to.deep.equal({
      type: "ApiKeyCreated",
      data: { ...data, roles: [] },
    });
  });

  it("refuses an event of a version that is not known yet", () => {
    expect(() => upcast({ type: "UserRenamed", version: 2, data: {} }, upcasters)).to.throw(
      "written in version 2, this program knows up to 1",
    );
  });
});
