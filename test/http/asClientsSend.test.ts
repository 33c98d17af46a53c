import { expect } from "chai";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A request with exactly these headers: `fetch` would add its own. */
const send = (
  url: string,
  {
    method = "POST",
    headers = {},
    body = "" as string | Buffer,
  }: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  },
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });

describe("what clients send, as they send it", () => {
  let service: ServiceUnderTest;
  let authorization: string;

  before(async () => {
    service = await startServiceUnderTest();
    authorization = `Bearer ${service.indexing.credential}`;
    await post("datasources", { name: "wiki" });
    await post("users", { datasource: "wiki", user: { email: "ada@dömäin.com" } });
    await post("groups", { datasource: "wiki", group: { name: "staff" } });
  });
  after(() => service?.stop());

  const post = (path: string, body: object) => service.indexing.post(`/api/indexing/${path}`, body);
  const document = (fields: object = {}) => ({
    ...{ datasource: "wiki", id: "a", title: "A", file_type: "page" },
    body: { mime_type: "text/plain", text_content: "harbour" },
    ...fields,
  });
  const push = async (fields: object = {}) => {
    const { status, body } = await post("documents", { documents: document(fields) });
    const [result] = (body as { readonly results?: readonly { readonly message: string }[] }).results ?? [];
    return { status, message: result?.message ?? JSON.stringify(body) };
  };
  const pushRaw = (body: string | Buffer, headers: Readonly<Record<string, string>>) =>
    send(`${service.url}/api/indexing/documents`, { headers: { authorization, ...headers }, body });

  describe("bodies", () => {
    const json = JSON.stringify({ documents: document({ id: "raw" }) });
    const large = JSON.stringify({
      documents: [document({ id: "large", body: { mime_type: "text/plain", text_content: "a b ".repeat(500_000) } })],
    });

    it("are read as JSON where they say no media type, and refused where they say another", async () => {
      expect((await pushRaw(json, {})).status).to.equal(200);
      expect((await pushRaw(json, { "content-type": "text/plain" })).status).to.equal(415);
      const group = JSON.stringify({ datasource: "wiki", group: { name: "typeless" } });
      const answer = await send(`${service.url}/api/indexing/groups`, { headers: { authorization }, body: group });
      expect(answer.status).to.equal(200);
    });

    it("may come gzipped, small and large", async () => {
      const gzipped = { "content-encoding": "gzip", "content-type": "application/json" };
      for (const body of [json, large]) expect((await pushRaw(gzipSync(body), gzipped)).status).to.equal(200);
      const group = gzipSync(JSON.stringify({ datasource: "wiki", group: { name: "zipped" } }));
      const headers = { authorization, ...gzipped };
      expect((await send(`${service.url}/api/indexing/groups`, { headers, body: group })).status).to.equal(200);
      for (const encoding of ["x-gzip", "GZIP"]) {
        const asked = { ...headers, "content-encoding": encoding };
        const body = gzipSync(JSON.stringify({ datasource: "wiki", document_id: "a", user_email: "ada@dömäin.com" }));
        const answer = await send(`${service.url}/api/indexing/documents/check-access`, { headers: asked, body });
        expect(answer.status, encoding).to.be.oneOf([200, 404]);
      }
    });

    it("are refused where gzip is not what they are, and where their encoding is not read", async () => {
      const headers = { "content-encoding": "gzip", "content-type": "application/json" };
      for (const body of [Buffer.from(json), gzipSync(large).subarray(0, 200)]) {
        const answer = await pushRaw(body, headers);
        expect(answer.status, answer.bytes.toString()).to.equal(400);
        const group = await send(`${service.url}/api/indexing/groups`, {
          headers: { authorization, ...headers },
          body,
        });
        expect(group.status).to.equal(400);
      }
      expect((await pushRaw(json, { ...headers, "content-encoding": "br" })).status).to.equal(415);
    });

    it("are bounded by what they come to, not by what is sent", async () => {
      const headers = { authorization, "content-encoding": "gzip", "content-type": "application/json" };
      const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, " "));
      const answer = await send(`${service.url}/api/indexing/groups`, { headers, body: bomb });
      expect(answer.status).to.equal(413);
    });
  });

  describe("answers", () => {
    const listing = "/api/indexing/file-types";

    it("over a kilobyte are compressed for whoever takes gzip", async () => {
      const description = `${service.url}/openapi.json`;
      const whole = await send(description, { method: "GET" });
      expect(whole.headers["content-encoding"]).to.equal(undefined);
      const zipped = await send(description, { method: "GET", headers: { "accept-encoding": "gzip, br" } });
      expect(zipped.headers).to.include({ "content-encoding": "gzip", "content-length": `${zipped.bytes.length}` });
      expect(zipped.headers.vary).to.include("Accept-Encoding");
      expect(zipped.bytes.length).to.be.lessThan(whole.bytes.length / 4);
      expect(gunzipSync(zipped.bytes).equals(whole.bytes)).to.equal(true);
    });

    it("that are short, or for whoever does not take it, stay as they are", async () => {
      for (const encoding of ["gzip", "identity", "gzip;q=0"]) {
        const headers = { authorization, "accept-encoding": encoding };
        const answer = await send(`${service.url}${listing}`, { method: "GET", headers });
        expect(answer.headers["content-encoding"], encoding).to.equal(undefined);
      }
    });

    it("of long texts are compressed as they leave", async () => {
      await push({ id: "long", body: { mime_type: "text/plain", text_content: "harbour fees ".repeat(20_000) } });
      const ada = await service.person("ada@dömäin.com");
      const path = "/api/beta/document/metadata?document_id=wiki__long&include_text_content=true";
      const plain = await ada.get<{ readonly text_content?: string }>(path);
      const headers = { authorization: `Bearer ${ada.credential}`, "accept-encoding": "gzip" };
      const zipped = await send(`${service.url}${path}`, { method: "GET", headers });
      expect(zipped.headers["content-encoding"]).to.equal("gzip");
      expect(JSON.parse(gunzipSync(zipped.bytes).toString())).to.deep.equal(plain.body);
    });
  });

  it("a slash at the end of an address is no matter", async () => {
    for (const path of ["/api/indexing/datasources/", "/api/indexing/datasources/wiki/", "/health/live/"])
      expect((await service.indexing.get(path)).status, path).to.equal(200);
    expect((await service.indexing.post("/api/indexing/documents/", { documents: document() })).status).to.equal(200);
  });

  it("a model is found by its id, its slash escaped or not", async () => {
    const ada = await service.person("ada@dömäin.com");
    for (const id of ["nobody/has-it", "nobody%2Fhas-it"]) {
      const { status, body } = await ada.get(`/api/beta/amberai/models/${id}`);
      expect(status).to.equal(404);
      expect(JSON.stringify(body), id).to.include("nobody/has-it");
    }
  });

  it("names that no address can say are refused, as ids are", async () => {
    for (const name of [".", ".."]) {
      expect((await post("groups", { datasource: "wiki", group: { name } })).status).to.equal(422);
      expect((await post("users", { datasource: "wiki", user: { email: name } })).status).to.equal(422);
    }
    expect((await service.indexing.put("/api/indexing/groups/wiki/staff", { group_name: ".." })).status).to.equal(422);
  });

  it("an address is one however its domain is spelled", async () => {
    const user = { datasource: "wiki", user: { email: "Ada@xn--dmin-moa0i.com" } };
    expect((await post("users", user)).status).to.equal(409);
    await push({ id: "hers", permissions: { allowed_users: [{ email: "ADA@XN--DMIN-MOA0I.COM" }] } });
    const asked = { datasource: "wiki", document_id: "hers", user_email: "ada@dömäin.com" };
    expect((await post("documents/check-access", asked)).body).to.include({ has_access: true });
  });

  it("names in permissions that can be nobody are taken, and told", async () => {
    const users = ["Anna <anna@firma.de>", "smtp:anna@firma.de", "a@x;b@x", "ada@dömäin.com"].map((email) => ({
      email,
    }));
    const permissions = { allowed_users: users, allowed_groups: ["..", "all staff", "staff", "not-yet"] };
    const { status, message } = await push({ id: "odd", permissions });
    expect(status).to.equal(200);
    for (const name of ["anna <anna@firma.de>", "smtp:anna@firma.de", "a@x;b@x", "..", "all staff"])
      expect(message).to.include(JSON.stringify(name));
    for (const name of ["ada@dömäin.com", '"staff"', "not-yet"]) expect(message).not.to.include(name);
    expect((await push({ id: "even", permissions: { allowed_groups: ["staff"] } })).message).not.to.include("nobody");
  });

  it("permissions that are null are as if they were left out", async () => {
    expect((await push({ id: "open", permissions: null })).status).to.equal(200);
    const asked = { datasource: "wiki", document_id: "open", user_email: "ada@dömäin.com" };
    expect((await post("documents/check-access", asked)).body).to.include({ has_access: true });
  });

  it("dates are told in one form, however they were sent", async () => {
    const ada = await service.person("ada@dömäin.com");
    const sent: readonly (readonly [string, string])[] = [
      ["2024-05-01T09:30:00+02:00", "2024-05-01T07:30:00.000Z"],
      ["20240101", "2024-01-01T00:00:00.000Z"],
      ["2024-W01-1", "2024-01-01T00:00:00.000Z"],
      ["2024-01", "2024-01-01T00:00:00.000Z"],
    ];
    for (const [index, [last_modified, told]] of sent.entries()) {
      await push({ id: `dated-${index}`, title: `Dated ${index}`, last_modified });
      const { body } = await ada.get(`/api/beta/document/metadata?document_id=wiki__dated-${index}`);
      expect(body, last_modified).to.include({ last_modified: told });
    }
  });

  it("texts in HTML or Markdown are found and shown as people read them", async () => {
    const ada = await service.person("ada@dömäin.com");
    const texts: readonly (readonly [mimeType: string, text: string, shown: string])[] = [
      [
        "text/html",
        "<p>Die M&uuml;ll<b>abfuhr</b> kommt<br>am Dienstag</p><script>evil()</script>",
        "Die Müllabfuhr kommt\nam Dienstag",
      ],
      ["text/markdown; charset=utf-8", "Der **Gärtner**lohn, [hier](https://x.example)", "Der Gärtnerlohn, hier"],
      ["text/markdown", "%PDF ist *kein* Text", "%PDF ist kein Text"],
      ["text/plain", "Ein <b>Rasen**mäher** &amp; mehr", "Ein <b>Rasen**mäher** &amp; mehr"],
    ];
    for (const [index, [mime_type, text_content, shown]] of texts.entries()) {
      expect((await push({ id: `text-${index}`, body: { mime_type, text_content } })).status).to.equal(200);
      const path = `/api/beta/document/metadata?document_id=wiki__text-${index}&include_text_content=true`;
      expect((await ada.get(path)).body, text_content).to.include({ text_content: shown });
    }
    const found = await ada.get<{ readonly results: readonly { readonly id: string }[] }>(
      "/api/beta/search?query=Gärtnerlohn",
    );
    expect(found.body.results.map(({ id }) => id)).to.deep.equal(["wiki__text-1"]);
  });
});
