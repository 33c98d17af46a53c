import { expect } from "chai";
import * as fc from "fast-check";
import { apiRoutes } from "../../src/http/app.js";
import { Router } from "../../src/http/router.js";
import { propertyRuns } from "../support/propertyRuns.js";

const router = new Router(apiRoutes);

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
        expect(router.find(route.method, path)).to.deep.equal({ kind: "found", route, parameters: given });
      }),
      propertyRuns(500),
    );
  });

  it("lets an empty segment be one: an empty email is the route's to refuse", () => {
    expect(router.find("PUT", "/api/indexing/users/wiki/")).to.deep.include({
      kind: "found",
      parameters: { datasource: "wiki", email: "" },
    });
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
      expect(router.find("GET", path), path).to.deep.equal({ kind: "unknown" });
    }
  });

  it("tells which methods there are, where it is another one", () => {
    expect(router.find("PATCH", "/api/indexing/datasources/wiki")).to.deep.equal({
      kind: "otherMethod",
      allowed: ["GET", "PUT", "DELETE"],
    });
    expect(router.find("DELETE", "/api/indexing/documents/check-access")).to.deep.equal({
      kind: "otherMethod",
      allowed: ["POST"],
    });
    expect(router.find("HEAD", "/api/indexing/datasources/wiki")).to.deep.include({ kind: "found" });
    expect(router.find("HEAD", "/api/indexing/documents")).to.deep.include({ kind: "otherMethod" });
  });

  it("says where percent-encoding is malformed", () => {
    for (const segment of ["%", "%zz", "%ff", "%c3", "%ed%a0%80", "a%00"]) {
      expect(router.find("GET", `/api/indexing/datasources/${segment}`), segment).to.deep.nested.include({
        kind: "malformed",
        "issue.loc": ["path", "name"],
      });
    }
  });
});
