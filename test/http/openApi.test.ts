import { expect } from "chai";
import { apiRoutes, features } from "../../src/wiring/features.js";
import type { Access } from "../../src/http/access.js";
import type { Role } from "../../src/shared/credential.js";
import { describeApi } from "../../src/http/openapi/describeApi.js";

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object; readonly example: unknown }> };
  readonly responses: Record<
    string,
    {
      readonly description: string;
      readonly content: Record<string, { readonly schema: object; readonly example?: unknown }>;
    }
  >;
}

const description = JSON.parse(JSON.stringify(describeApi(features, "amber"))) as {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object>; readonly securitySchemes: Record<string, object> };
};
const operations = apiRoutes.map((route) => ({
  route,
  operation: description.paths[route.path]?.[route.method.toLowerCase()] as Operation,
}));

const signedIn = (...roles: readonly Role[]): object => ({ session: roles });
const withKey = (...roles: readonly Role[]): readonly object[] => [{ apiKey: roles }, signedIn(...roles)];

function securityOf(access: Access): readonly object[] {
  if (access === "open") return [];
  if (access === "serviceAccount") return [{ serviceAccount: [] }];
  if (access === "apiKeyAlone") return [{ apiKey: [] }];
  if (access === "apiKey") return withKey();
  if (access === "session") return [signedIn()];
  if (access === "auditor" || access === "operator") return withKey(access);
  return [signedIn(...(typeof access === "string" ? [access] : access))];
}

/** Every `$ref` below a value. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "$ref" ? [String(inner)] : references(inner)));
}

describe("the description of the API", () => {
  it("is OpenAPI 3.1 with every route and nothing else", () => {
    expect(description.openapi).to.equal("3.1.0");
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).to.deep.equal(
      apiRoutes.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort(),
    );
    expect(described).to.include.members(["post /api/indexing/documents", "get /api/beta/search", "get /health/ready"]);
  });

  it("says that permissions take no keys but their own", () => {
    const { PermissionsMessage, AllowedUserMessage, DocumentMessage } = description.components.schemas;
    expect([PermissionsMessage, AllowedUserMessage]).to.deep.equal([
      { ...PermissionsMessage, additionalProperties: false },
      { ...AllowedUserMessage, additionalProperties: false },
    ]);
    expect(DocumentMessage).not.to.have.property("additionalProperties");
  });

  it("refers only to what it holds, and holds only what it refers to", () => {
    const names = [
      ...new Set(
        references(description)
          .filter((reference) => !reference.startsWith("#/components/headers/"))
          .map((reference) => reference.replace("#/components/schemas/", "")),
      ),
    ];
    expect(names.filter((name) => !(name in description.components.schemas))).to.deep.equal([]);
    // What OpenAPI allows as the name of a component; typia makes up longer ones for types that have none.
    expect(names.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))).to.deep.equal([]);
    expect(Object.keys(description.components.schemas).filter((name) => !names.includes(name))).to.deep.equal([]);
  });

  it("bounds texts by the same numbers of characters as the service does", () => {
    const { DocumentMessage, DatasourceReference } = description.components.schemas;
    expect(DocumentMessage).to.deep.nested.include({ "properties.title": { type: "string", maxLength: 1_024 } });
    expect(DatasourceReference).to.deep.include({ type: "string", minLength: 1, maxLength: 64 });
  });

  it("tells whole numbers from measures, and which of two fields a message takes", () => {
    const { SearchAnswer, SearchResultAnswer, BodyMessage, IssueAnswer } = description.components.schemas;
    expect(SearchAnswer).to.deep.nested.include({ "properties.total": { type: "integer" } });
    expect(SearchResultAnswer).to.deep.nested.include({ "properties.score.type": "number" });
    expect(BodyMessage).to.have.property("oneOf").with.lengthOf(2);
    expect(IssueAnswer).to.deep.nested.include({ "properties.ctx": { type: "object" } });
  });

  it("breaks no sentence into lines", () => {
    expect(JSON.stringify(description.components)).not.to.match(/"description":"[^"]*[^\\n]\\n[^\\]/);
  });

  it("names each operation once", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("names every parameter of a path, as required", () => {
    for (const { route, operation } of operations) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === "path" && parameter.required === true)
        .map(({ name }) => name);
      expect(described, route.path).to.deep.equal(inPath);
    }
  });

  it("says who may call what, and what else can come of it", () => {
    for (const { route, operation } of operations) {
      expect(operation.security, route.path).to.deep.equal(securityOf(route.access));
      expect(Object.keys(operation.responses), route.path).to.include.members([
        "200",
        "500",
        ...(route.access === "open" ? [] : ["401", "429"]),
      ]);
      if (operation.requestBody !== undefined)
        expect(Object.keys(operation.responses), route.path).to.include.members(["413", "415", "422"]);
    }
    expect(Object.keys(description.components.securitySchemes)).to.deep.equal(["serviceAccount", "apiKey", "session"]);
  });

  it("says of a push, and of an upload, what a file that cannot be read at the moment means for it", () => {
    const said = (path: string): unknown => description.paths[path]?.["post"]?.responses["503"];
    expect(said("/api/indexing/documents")).to.have.property("description").that.includes("already_indexed");
    expect(said("/api/beta/files/upload")).to.have.property("description").that.includes("Files cannot be read");
  });

  it("says what can become of a write", () => {
    const writes = operations.filter(({ operation }) =>
      JSON.stringify(operation.responses["200"]).includes("X-Consistency-Token"),
    );
    expect(writes.map(({ route }) => route.path)).to.include("/api/indexing/memberships");
    for (const { route, operation } of writes) expect(Object.keys(operation.responses), route.path).to.include("503");
    expect(Object.keys(description.paths["/api/indexing/datasources"]?.["post"]?.responses ?? {})).to.include.members([
      "404",
      "409",
    ]);
  });

  it("shows the sentence with which a document is sent", () => {
    const example =
      description.paths["/api/indexing/documents"]?.["post"]?.responses["200"]?.content["application/json"]?.example;
    const message = "document sent to the indexing pipeline.";
    expect(example).to.deep.nested.include({ message, "results[0].message": message });
  });

  it("shows an example of every body and every success", () => {
    for (const { route, operation } of operations) {
      if (operation.requestBody !== undefined)
        expect(Object.values(operation.requestBody.content)[0]?.example, route.path).to.be.an("object");
      if (!JSON.stringify(operation.responses["200"]).includes("DoneAnswer"))
        expect(Object.values(operation.responses["200"]?.content ?? {})[0], route.path).to.have.property("example");
    }
  });

  it("tells the limits that validation holds", () => {
    expect(description.components.schemas).to.deep.nested.include({
      "DocumentIdText.maxLength": 200,
      "Slug.pattern": "^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$",
    });
  });
});
