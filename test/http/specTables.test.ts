import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { ApiAnswer, ApiClient, Method } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

/** The three error bodies of the specification (Errors, Envelopes). */
type Envelope = "message" | "validation" | { readonly code: string };

interface Row {
  /** As the table of the specification has it. */
  readonly endpoint: string;
  readonly condition: string;
  readonly request: readonly [Method, string, unknown?];
  readonly status: number;
  readonly envelope: Envelope;
  /** What the message has to tell. */
  readonly says?: RegExp;
}

const body = { mime_type: "text/plain", text_content: "Some text." };
const document = (fields: object = {}): object => ({
  documents: { datasource: "spec", id: "new", title: "New", file_type: "page", body, ...fields },
});
const user = (fields: object, datasource = "spec"): object => ({ datasource, user: fields });
const group = (name: unknown, datasource = "spec"): object => ({ datasource, group: { name } });
const membership = (fields: object, datasource = "spec"): object => ({ datasource, membership: fields });
const check = (fields: object): object => ({
  datasource: "spec",
  document_id: "present",
  user_email: "ada@example.org",
  ...fields,
});

const perEndpoint: readonly Row[] = [
  {
    endpoint: "POST /documents",
    condition: "datasource does not exist",
    request: ["POST", "/documents", document({ datasource: "absent" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /documents/{datasource}/{document_id}",
    condition: "datasource not found",
    request: ["DELETE", "/documents/absent/present"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /users",
    condition: "user.email missing",
    request: ["POST", "/users", user({ name: "Ada" })],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /users",
    condition: "user.email empty",
    request: ["POST", "/users", user({ email: "" })],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /users",
    condition: "user.email empty after trim",
    request: ["POST", "/users", user({ email: " \t " })],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /users",
    condition: "datasource not found",
    request: ["POST", "/users", user({ email: "ada@example.org" }, "absent")],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /users",
    condition: "user with same normalized email exists",
    request: ["POST", "/users", user({ email: " ADA@Example.org" })],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "PUT /users/{datasource}/{email}",
    condition: "email path parameter empty after normalization",
    request: ["PUT", "/users/spec/%20", { name: "Ada" }],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "PUT /users/{datasource}/{email}",
    condition: "datasource not found",
    request: ["PUT", "/users/absent/ada@example.org", { name: "Ada" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "PUT /users/{datasource}/{email}",
    condition: "no such user",
    request: ["PUT", "/users/spec/eve@example.org", { name: "Eve" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /groups",
    condition: "name contains whitespace",
    request: ["POST", "/groups", group("two words")],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /groups",
    condition: "name starts with the reserved prefix",
    request: ["POST", "/groups", group("amber-admins")],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /groups",
    condition: "name starts with the reserved prefix, case-insensitive",
    request: ["POST", "/groups", group("AmBeRx")],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "POST /groups",
    condition: "name is empty",
    request: ["POST", "/groups", group("")],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /groups",
    condition: "datasource not found",
    request: ["POST", "/groups", group("staff", "absent")],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /groups",
    condition: "group name exists",
    request: ["POST", "/groups", group("staff")],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "PUT /groups/{datasource}/{group_name}",
    condition: "new name contains whitespace",
    request: ["PUT", "/groups/spec/staff", { group_name: "two words" }],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "PUT /groups/{datasource}/{group_name}",
    condition: "new name starts with the reserved prefix",
    request: ["PUT", "/groups/spec/staff", { group_name: "AMBER" }],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "PUT /groups/{datasource}/{group_name}",
    condition: "datasource not found",
    request: ["PUT", "/groups/absent/staff", { group_name: "crew" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "PUT /groups/{datasource}/{group_name}",
    condition: "group not found",
    request: ["PUT", "/groups/spec/absent", { group_name: "crew" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "PUT /groups/{datasource}/{group_name}",
    condition: "new name is taken",
    request: ["PUT", "/groups/spec/staff", { group_name: "engineers" }],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "datasource not found",
    request: ["POST", "/memberships", membership({ group_name: "staff", member_email: "ada@example.org" }, "absent")],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "parent group not found",
    request: ["POST", "/memberships", membership({ group_name: "absent", member_email: "ada@example.org" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "referenced user not found",
    request: ["POST", "/memberships", membership({ group_name: "staff", member_email: "eve@example.org" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "member_group_name not found",
    request: ["POST", "/memberships", membership({ group_name: "staff", member_group_name: "absent" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "membership exists (user)",
    request: ["POST", "/memberships", membership({ group_name: "engineers", member_email: "ada@example.org" })],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "membership exists (group)",
    request: ["POST", "/memberships", membership({ group_name: "staff", member_group_name: "engineers" })],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "POST /memberships",
    condition: "edge would close a cycle",
    request: ["POST", "/memberships", membership({ group_name: "engineers", member_group_name: "staff" })],
    status: 409,
    envelope: "message",
    says: /engineers -> staff -> engineers|staff -> engineers -> staff/,
  },
  {
    endpoint: "POST /memberships",
    condition: "both members given",
    request: [
      "POST",
      "/memberships",
      membership({ group_name: "staff", member_email: "ada@example.org", member_group_name: "engineers" }),
    ],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /memberships",
    condition: "no member given",
    request: ["POST", "/memberships", membership({ group_name: "staff" })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "member_type neither user nor group",
    request: ["DELETE", "/memberships/spec/engineers/robot/ada@example.org"],
    status: 400,
    envelope: "message",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "datasource not found",
    request: ["DELETE", "/memberships/absent/engineers/user/ada@example.org"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "parent group not found",
    request: ["DELETE", "/memberships/spec/absent/user/ada@example.org"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "referenced user not found",
    request: ["DELETE", "/memberships/spec/engineers/user/eve@example.org"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "referenced member group not found",
    request: ["DELETE", "/memberships/spec/staff/group/absent"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /memberships/...",
    condition: "the membership itself not found",
    request: ["DELETE", "/memberships/spec/staff/user/ada@example.org"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /documents/check-access",
    condition: "datasource not found",
    request: ["POST", "/documents/check-access", check({ datasource: "absent" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /documents/check-access",
    condition: "no document with that id",
    request: ["POST", "/documents/check-access", check({ document_id: "absent" })],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /documents/check-access",
    condition: "user_email missing",
    request: ["POST", "/documents/check-access", check({ user_email: undefined })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents/check-access",
    condition: "user_email empty",
    request: ["POST", "/documents/check-access", check({ user_email: " " })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /datasources",
    condition: "name exists",
    request: ["POST", "/datasources", { name: "spec" }],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "GET /datasources/{name}",
    condition: "not found",
    request: ["GET", "/datasources/absent"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "PUT /datasources/{name}",
    condition: "not found",
    request: ["PUT", "/datasources/absent", { display_name: "New" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "PUT /datasources/{name}",
    condition: "subs in the body",
    request: ["PUT", "/datasources/spec", { subs: [] }],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "DELETE /datasources/{name}",
    condition: "not found",
    request: ["DELETE", "/datasources/absent"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /datasources/{name}/subs",
    condition: "datasource not found",
    request: ["POST", "/datasources/absent/subs", { name: "New" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /datasources/{name}/subs",
    condition: "unknown parent",
    request: ["POST", "/datasources/spec/subs", { name: "New", parent_key: "absent" }],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "POST /datasources/{name}/subs",
    condition: "key exists under the parent",
    request: ["POST", "/datasources/spec/subs", { name: "Api", parent_key: "eng" }],
    status: 409,
    envelope: "message",
  },
  {
    endpoint: "POST /datasources/{name}/subs",
    condition: "third level",
    request: ["POST", "/datasources/spec/subs", { name: "Deep", parent_key: "net" }],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "DELETE /datasources/{name}/subs/{sub_key}",
    condition: "unknown key",
    request: ["DELETE", "/datasources/spec/subs/absent"],
    status: 404,
    envelope: "message",
  },
  {
    endpoint: "DELETE /datasources/{name}/subs/{sub_key}",
    condition: "key under several parents",
    request: ["DELETE", "/datasources/spec/subs/api"],
    status: 409,
    envelope: "message",
    says: /parent_key/,
  },
];

const common: readonly Row[] = [
  {
    endpoint: "POST /documents",
    condition: "missing required field",
    request: ["POST", "/documents", document({ title: undefined })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "wrong type",
    request: ["POST", "/documents", document({ title: 7 })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "unknown file type",
    request: ["POST", "/documents", document({ file_type: "pamphlet" })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "id with other characters",
    request: ["POST", "/documents", document({ id: "a/b" })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "maximum length exceeded",
    request: ["POST", "/documents", document({ title: "x".repeat(1_025) })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "a date that does not exist",
    request: ["POST", "/documents", document({ last_modified: "2024-02-30T00:00:00Z" })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "text_content and binary_base64",
    request: ["POST", "/documents", document({ body: { ...body, binary_base64: "YQ==" } })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "neither text_content nor binary_base64",
    request: ["POST", "/documents", document({ body: { mime_type: "text/plain" } })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "bad Base64",
    request: ["POST", "/documents", document({ body: { mime_type: "text/plain", binary_base64: "%%%" } })],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "decoded binary over the limit",
    request: [
      "POST",
      "/documents",
      document({ body: { mime_type: "text/plain", binary_base64: Buffer.alloc(1_025).toString("base64") } }),
    ],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /documents",
    condition: "a malformed document",
    request: ["POST", "/documents", { documents: { datasource: "spec" } }],
    status: 422,
    envelope: "validation",
  },
  {
    endpoint: "POST /datasources",
    condition: "pattern mismatch (slug)",
    request: ["POST", "/datasources", { name: "Not-A-Slug" }],
    status: 422,
    envelope: "validation",
  },
];

const property = (name: string, value: unknown): object => document({ custom_properties: [{ name, value }] });

const errorCodes: readonly {
  readonly code: string;
  readonly condition: string;
  readonly document: object;
  readonly says?: RegExp;
}[] = [
  {
    code: "NO_PROPERTY_DEFINITIONS",
    condition: "the datasource has none",
    document: document({ datasource: "plain", custom_properties: [{ name: "owner", value: "x" }] }),
  },
  {
    code: "UNKNOWN_PROPERTY",
    condition: "no definition of that name",
    document: property("absent", "x"),
    says: /owner.*due/,
  },
  { code: "INVALID_PROPERTY_TYPE", condition: "TEXT that is a number", document: property("owner", 5) },
  { code: "INVALID_PROPERTY_TYPE", condition: "INTEGER that is a string", document: property("effort", "5") },
  { code: "INVALID_PROPERTY_TYPE", condition: "DATE that is no date", document: property("due", "tomorrow") },
  { code: "INVALID_PROPERTY_TYPE", condition: "BOOLEAN that is a number", document: property("done", 1) },
  { code: "INVALID_DATA_SOURCE_SUB", condition: "unknown sub", document: document({ data_source_sub: "absent" }) },
  {
    code: "INVALID_DATA_SOURCE_SUB",
    condition: "a child's key as the sub",
    document: document({ data_source_sub: "net" }),
  },
  {
    code: "INVALID_DATA_SOURCE_SUB",
    condition: "a child where no subs are declared",
    document: document({ datasource: "plain", data_source_sub_sub: "api" }),
  },
  {
    code: "INVALID_DATA_SOURCE_SUB_SUB",
    condition: "not a child of the given sub",
    document: document({ data_source_sub: "eng", data_source_sub_sub: "net" }),
  },
  {
    code: "INVALID_DATA_SOURCE_SUB_SUB",
    condition: "unknown, sent without a parent",
    document: document({ data_source_sub_sub: "absent" }),
  },
  {
    code: "AMBIGUOUS_DATA_SOURCE_SUB_SUB",
    condition: "under several parents, sent without one",
    document: document({ data_source_sub_sub: "api" }),
  },
];

describe("the specification's error tables", () => {
  let service: ServiceUnderTest;
  let indexing: ApiClient;

  before(async () => {
    service = await startServiceUnderTest({ INDEXING_API_MAX_BINARY_BYTES: "1024" });
    indexing = service.indexing;
    await setUp(indexing);
  });
  after(() => service?.stop());

  const send = ([method, path, payload]: Row["request"], client = indexing): Promise<ApiAnswer> =>
    client.request(method, `/api/indexing${path}`, payload);

  describe("Per-endpoint statuses", () => {
    for (const row of perEndpoint)
      it(`${row.endpoint}: ${row.status} where ${row.condition}`, async () => expectRow(await send(row.request), row));
  });

  describe("Common to every endpoint: 422", () => {
    for (const row of common)
      it(`${row.endpoint}: ${row.condition}`, async () => expectRow(await send(row.request), row));

    it("POST /documents: 200 where an array has malformed documents, each of which is `failed`", async () => {
      const { documents: valid } = document({ id: "well-shaped" }) as { readonly documents: object };
      const wrong: readonly (readonly [object | null, string])[] = [
        [{ ...valid, id: "long", title: "a".repeat(1_025) }, "title: String should have at most 1024 characters."],
        [{ ...valid, id: "a/b" }, "id: String should match pattern"],
        [{ ...valid, id: "type", file_type: "pdf" }, "file_type: Input should be '"],
        [
          { ...valid, id: "both", body: { mime_type: "text/plain", text_content: "a", binary_base64: "" } },
          "body: Value error, exactly one of text_content and binary_base64 must be given.",
        ],
        [{ ...valid, id: "bodiless", body: null }, "body: Input should be a valid dictionary"],
        [null, "Input should be a valid dictionary"],
      ];
      const answer = await send(["POST", "/documents", { documents: [...wrong.map(([sent]) => sent), valid] }]);
      expect(answer.status).to.equal(200);
      const { results, documents_received } = answer.body as {
        readonly documents_received: number;
        readonly results: readonly {
          readonly document_id: string;
          readonly outcome: string;
          readonly message: string;
        }[];
      };
      expect(documents_received).to.equal(7);
      expect(results.map(({ document_id: id, outcome }) => [id, outcome])).to.deep.equal([
        ...["long", "a/b", "type", "both", "bodiless", ""].map((id) => [id, "failed"]),
        ["well-shaped", "sent"],
      ]);
      for (const [index, [sent, sentence]] of wrong.entries()) {
        expect(results[index]?.message).to.include(sentence);
        const single = await send(["POST", "/documents", { documents: sent }]);
        expectRow(single, { status: 422, envelope: "validation" });
        const [{ msg = "" } = {}] = (single.body as { readonly detail: readonly { readonly msg?: string }[] }).detail;
        expect(results[index]?.message).to.include(msg);
      }
    });

    it("GET /api/beta/search: query is empty", async () => {
      const person = await service.person("searcher@example.org");
      const answer = await person.get("/api/beta/search?query=");
      expectRow(answer, { status: 422, envelope: "validation" });
    });
  });

  describe("Service-layer schema validation", () => {
    for (const { code, condition, document: payload, says } of errorCodes) {
      it(`${code}: 422 for a single document where ${condition}`, async () => {
        expectRow(await send(["POST", "/documents", payload]), { status: 422, envelope: { code }, says });
      });

      it(`${code}: a failed entry of an array where ${condition}`, async () => {
        const failing = (payload as { documents: object }).documents;
        const following = { datasource: "spec", id: "following", title: "Following", file_type: "page", body };
        const { status, body: answer } = await send(["POST", "/documents", { documents: [failing, following] }]);
        const { results } = answer as { results: readonly { outcome: string; message: string }[] };
        expect(status).to.equal(200);
        expect(results.map(({ outcome }) => outcome)).to.deep.equal(["failed", "sent"]);
        expect(results[0]?.message).to.match(says ?? /./);
      });
    }
  });

  it("POST /documents: values that are wrong fail their documents alone in an array, at their places", async () => {
    const one = (id: string, fields: object): object => ({
      ...{ datasource: "spec", id, title: id, file_type: "page", body },
      ...fields,
    });
    const wrong = [{ title: "a\0" }, { last_modified: "2024-02-30" }];
    const documents = [one("v0", wrong[0] ?? {}), one("v1", {}), one("v2", wrong[1] ?? {}), one("v3", {})];
    const { status, body: answer } = await send(["POST", "/documents", { documents }]);
    expect(status).to.equal(200);
    expect(answer).to.include({ documents_received: 4, message: "2 sent, 0 already indexed, 0 skipped, 2 failed." });
    const { results } = answer as { results: readonly { document_id: string; outcome: string; message: string }[] };
    expect(results.map(({ document_id: id, outcome }) => `${id} ${outcome}`)).to.deep.equal([
      ...["v0 failed", "v1 sent", "v2 failed", "v3 sent"],
    ]);
    expect(results[2]?.message).to.match(/^last_modified: /);
    for (const fields of wrong)
      expectRow(await send(["POST", "/documents", { documents: one("v0", fields) }]), {
        status: 422,
        envelope: "validation",
      });
  });

  describe("401", () => {
    const doors = [
      "/api/indexing/file-types",
      "/api/indexing/datasources",
      "/api/beta/search?query=a",
      "/api/beta/document/metadata?document_id=a",
    ];
    const wrong: readonly (readonly [string, string | null])[] = [
      ["no header", null],
      ["an unknown token", "amber_sa_unknown_unknown"],
      ["something else altogether", "x"],
    ];
    for (const door of doors) {
      for (const [what, credential] of wrong) {
        it(`GET ${door}: ${what}`, async () => {
          const answer = await indexing.as(credential).get(door);
          expectRow(answer, { status: 401, envelope: "message" });
          expect(answer.headers.get("www-authenticate")).to.match(/^Bearer/);
        });
      }
    }

    it("an expired token", async () => {
      const expiresAt = "2999-01-31T00:00:00.000Z";
      const expired = await service.serviceAccount({ expiresAt });
      const database = new Database(join(service.dataDir, "readModels.sqlite"));
      const passed = database.prepare("UPDATE credentials SET expires_at = ? WHERE expires_at = ?");
      expect(passed.run("2001-01-31T00:00:00.000Z", expiresAt).changes).to.equal(1);
      database.close();
      // What is remembered of credentials is forgotten when another one comes.
      await service.person("another@example.org");
      expectRow(await expired.get("/api/indexing/file-types"), { status: 401, envelope: "message" });
    });

    it("a personal key at the Indexing API, a service account's token at the query API", async () => {
      const person = await service.person("wrong.door@example.org");
      expectRow(await person.get("/api/indexing/datasources"), { status: 401, envelope: "message" });
      expectRow(await indexing.get("/api/beta/search?query=a"), { status: 401, envelope: "message" });
    });
  });

  it("403 for a service account outside its datasources", async () => {
    const limited = await service.serviceAccount({ datasources: ["plain"] });
    expectRow(await send(["POST", "/groups", group("crew")], limited), { status: 403, envelope: "message" });
    expect((await send(["POST", "/groups", group("crew", "plain")], limited)).status).to.equal(200);
  });

  it("415 where the body is no JSON by its content type, 422 where it is none by its bytes", async () => {
    const post = (contentType: string, text: string): Promise<ApiAnswer> =>
      indexing.post("/api/indexing/groups", undefined, { raw: { contentType, text } });
    expectRow(await post("text/plain", "{}"), { status: 415, envelope: "message" });
    const malformed = await post("application/json", "{");
    expectRow(malformed, { status: 422, envelope: "validation" });
    expect((malformed.body as { detail: { type: string }[] }).detail.map(({ type }) => type)).to.deep.equal([
      "json_invalid",
    ]);
  });

  it("and nothing that was refused has changed anything", async () => {
    const { body: datasource } = await indexing.get<{ subs: { key: string; subs: { key: string }[] }[] }>(
      "/api/indexing/datasources/spec",
    );
    expect(datasource.subs.map(({ key, subs }) => [key, subs.map((child) => child.key)])).to.deep.equal([
      ["eng", ["api"]],
      ["ops", ["api", "net"]],
    ]);
    expectRow(await send(["POST", "/documents/check-access", check({ document_id: "new" })]), {
      status: 404,
      envelope: "message",
    });
    const access = await send(["POST", "/documents/check-access", check({})]);
    expect(access.body).to.deep.equal({
      has_access: true,
      datasource: "spec",
      document_id: "present",
      user_email: "ada@example.org",
    });
  });
});

async function setUp(indexing: ApiClient): Promise<void> {
  const property_definitions = [
    { name: "owner", display_label: "Owner", property_type: "TEXT", is_searchable: true },
    { name: "due", display_label: "Due", property_type: "DATE" },
    { name: "effort", display_label: "Effort", property_type: "INTEGER" },
    { name: "done", display_label: "Done", property_type: "BOOLEAN" },
  ];
  const subs = [
    { name: "Eng", subs: [{ name: "Api" }] },
    { name: "Ops", subs: [{ name: "Api" }, { name: "Net" }] },
  ];
  const posts: readonly [string, object][] = [
    [
      "/datasources",
      { name: "spec", display_name: "Spec", subs, object_definitions: [{ name: "task", property_definitions }] },
    ],
    ["/datasources", { name: "plain", display_name: "Plain" }],
    ["/users", user({ email: "ada@example.org" })],
    ["/groups", group("staff")],
    ["/groups", group("engineers")],
    ["/memberships", membership({ group_name: "staff", member_group_name: "engineers" })],
    ["/memberships", membership({ group_name: "engineers", member_email: "ada@example.org" })],
    ["/documents", document({ id: "present", permissions: { allowed_groups: ["staff"] } })],
  ];
  for (const [path, payload] of posts) {
    const { status, body: answer } = await indexing.post(`/api/indexing${path}`, payload);
    expect(status, `${path}: ${JSON.stringify(answer)}`).to.equal(200);
  }
}

function expectRow({ status, body: answer }: ApiAnswer, expected: Pick<Row, "status" | "envelope" | "says">): void {
  const said = JSON.stringify(answer);
  expect(status, said).to.equal(expected.status);
  if (expected.envelope === "message") {
    expect(Object.keys(answer as object), said).to.deep.equal(["detail"]);
    expect((answer as { detail: unknown }).detail).to.be.a("string");
  } else if (expected.envelope === "validation") expectValidationDetail((answer as { detail: unknown }).detail, said);
  else {
    const { message } = (answer as { details: { message: string } }).details;
    expect(answer).to.deep.equal({ status: "error", details: { error_code: expected.envelope.code, message } });
    expect(message).to.be.a("string");
  }
  if (expected.says !== undefined) expect(said).to.match(expected.says);
}

function expectValidationDetail(detail: unknown, said: string): void {
  expect(detail, said).to.be.an("array").that.is.not.empty;
  for (const { loc, msg, type } of detail as { loc: unknown[]; msg: unknown; type: unknown }[]) {
    expect(loc[0], said).to.be.oneOf(["body", "query", "path"]);
    for (const part of loc) expect(typeof part, said).to.be.oneOf(["string", "number"]);
    expect([typeof msg, typeof type], said).to.deep.equal(["string", "string"]);
  }
}
