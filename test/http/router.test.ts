import { expect } from "chai";
import * as fc from "fast-check";
import { apiRoutes } from "../../src/wiring/features.js";
import { paramsReader, createRouteFinder } from "../../src/http/router.js";
import { RefusedRequest } from "../../src/http/refusedRequest.js";
import { propertyRuns } from "../support/propertyRuns.js";

const find = createRouteFinder(apiRoutes);

describe("the router", () => {
  it("finds every route with whatever its segments hold, percent-encoded", () => {
    const parameters = fc.string({
      unit: fc.constantFrom("a", "/", "%", "ä", " ", "?", "#", ".", "..", "😀", "&"),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.constantFrom(...apiRoutes), fc.infiniteStream(parameters), (route, values) => {
        const given: Record<string, string> = {};
        const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
          const value = values.next().value ?? "";
          given[name] = value;
          return encodeURIComponent(value);
        });
        expect(find(route.method, path)).to.equal(route);
        const anything = (route.params ?? []).map((parameter) => ({ ...parameter, refusalOf: () => null }));
        expect(paramsReader({ path: route.path, params: anything })(path)).to.deep.equal(given);
      }),
      propertyRuns(500),
    );
  });

  it("lets an empty segment be one: an empty email is the route's to refuse", () => {
    const route = find("PUT", "/api/indexing/users/wiki/");
    expect(route?.path).to.equal("/api/indexing/users/{datasource}/{email}");
    expect(route && paramsReader(route)("/api/indexing/users/wiki/")).to.deep.equal({ datasource: "wiki", email: "" });
  });

  it("lets no other segment be empty, and any other path end in a slash", () => {
    const nothing: readonly (readonly [string, string])[] = [
      ["PUT", "/api/indexing/users//ada@example.org"],
      ["PUT", "/api/indexing/users/wiki/ada@example.org/"],
      ["DELETE", "/api/indexing/documents/wiki/"],
      ["DELETE", "/api/indexing/documents//a"],
      ["DELETE", "/api/indexing/memberships/wiki/staff//ada@example.org"],
      ["DELETE", "/api/indexing/memberships/wiki/staff/user/"],
    ];
    for (const [method, path] of nothing) expect(find(method, path), path).to.equal(null);
    for (const path of ["/api/indexing/datasources", "/api/indexing/datasources/wiki"])
      expect(find("GET", `${path}/`), path)
        .to.equal(find("GET", path))
        .and.not.to.equal(null);
  });

  it("knows nothing else", () => {
    for (const path of [
      "",
      "/",
      "*",
      "/api",
      "/api/indexing/documents/",
      "/api/indexing//datasources",
      "/API/indexing/datasources",
      "/api/indexing/documents/a/b/c",
      "/api/beta/document/a/metadata",
    ]) {
      expect(find("GET", path), path).to.equal(null);
    }
  });

  it("says where percent-encoding is malformed", () => {
    for (const segment of ["%", "%zz", "%ff", "%c3", "%ed%a0%80", "a%00"]) {
      const path = `/api/indexing/datasources/${segment}`;
      const route = find("GET", path);
      expect(route?.path, segment).to.equal("/api/indexing/datasources/{name}");
      expect(() => route && paramsReader(route)(path), segment)
        .to.throw(RefusedRequest)
        .with.deep.nested.property("refusal.body.detail[0].loc", ["path", "name"]);
    }
  });
});
