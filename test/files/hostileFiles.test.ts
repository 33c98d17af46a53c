import { expect } from "chai";
import { bentJpeg, headersWithoutEnd, hostileFiles, pngHead } from "../support/files/hostile.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const datasource = "hostile";
const earlier = "rhubarb";

interface Pushed {
  readonly results: readonly { readonly outcome: string; readonly message: string }[];
}

/** The whole service, with the processes in which it reads files. */
describe("a service that is given files made to do harm", () => {
  let service: ServiceUnderTest;
  let person: ApiClient;

  before(async () => {
    service = await startServiceUnderTest({ OCR: "on" });
    await service.indexing.post("/api/indexing/datasources", { name: datasource });
    await service.indexing.post("/api/indexing/users", { datasource, user: { email: "ada@example.org" } });
    person = await service.person("ada@example.org");
  });
  after(() => service.stop());

  interface Told {
    readonly id: string;
    readonly status: number;
    readonly outcome?: string;
    readonly message?: string;
  }

  const document = (id: string, body: object, last_modified: string): object => ({
    ...{ datasource, id, title: id, file_type: "file", body, last_modified },
  });
  const push = (documents: object | readonly object[]) =>
    service.indexing.post<Pushed>("/api/indexing/documents", { documents });
  const alive = async (): Promise<void> => {
    const [live, found] = await Promise.all([person.get("/health/live"), search(earlier)]);
    expect([live.status, found.status]).to.deep.equal([200, 200]);
  };
  const search = (query: string) =>
    person.get<{ results: readonly { id: string }[] }>(`/api/beta/search?query=${query}&page_size=50`);

  it("tells what became of each, keeps what was there before, and answers on", async () => {
    const files = Object.values(hostileFiles).map((file, at) => ({ ...file, id: `file-${at}` }));
    const text = { mime_type: "text/plain", text_content: `What stood there before: ${earlier}.` };
    expect((await push(files.map(({ id }) => document(id, text, "2024-01-01T00:00:00Z")))).status).to.equal(200);
    const told: Told[] = [];
    for (const { id, mimeType, make } of files) {
      const body = { mime_type: mimeType, binary_base64: make().toString("base64") };
      const [{ status, body: answer }] = await Promise.all([push(document(id, body, "2024-02-01T00:00:00Z")), alive()]);
      told.push({ id, status, ...answer.results[0] });
    }
    expect(told.map(({ id, status, outcome }) => ({ id, status, outcome }))).to.deep.equal(
      files.map(({ id, outcome }) => ({ id, status: 200, outcome })),
    );
    for (const [at, { message, outcome }] of files.entries())
      expect(told[at]?.message)
        .to.match(message)
        .and.match(outcome === "skipped" ? /\. The version indexed before stays\.$/ : /\.$/);
    const kept = (await search(earlier)).body.results.map(({ id }) => id);
    const skipped = files.filter(({ outcome }) => outcome === "skipped").map(({ id }) => `${datasource}__${id}`);
    expect(kept).to.have.members(skipped);
    await alive();
  });

  const upload = async (type: string, bytes: Buffer, mimeType: string, name = "file") => {
    const form = new FormData();
    form.append("file", new Blob([bytes], { type: mimeType }), name);
    const answer = await fetch(`${service.url}/api/beta/files/upload?type=${type}`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.credential ?? ""}` },
      body: form,
    });
    return { status: answer.status, said: await answer.text() };
  };

  it("refuses them as uploads with the reason, and says what can be uploaded instead", async () => {
    for (const [type, bytes, mimeType, reason] of [
      ["image", Buffer.from([1, 2, 3, 0]), "image/png", "It cannot be told what kind of file it is."],
      ["image", Buffer.from("A lie"), "image/png", "the file is text/plain and no image"],
      ["image", pngHead(9, 9).subarray(0, 8), "image/png", "The image is damaged"],
      ["image", bentJpeg(), "image/jpeg", "The image is damaged"],
      ["image", Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1avif", "latin1"), "image/avif", "to JPEG or PNG"],
      ["document", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0", "latin1"), "video/mp4", "The file is a video"],
      ["document", hostileFiles["a bomb in a DOCX"]?.make() ?? Buffer.alloc(0), "application/zip", "more than 100 MB"],
    ] as const) {
      const { status, said } = await upload(type, bytes, mimeType);
      expect([status, said.includes(reason)], said).to.deep.equal([422, true]);
    }
    expect((await upload("document", headersWithoutEnd(), "text/calendar", "a.ics")).status).to.equal(200);
    expect((await upload("document", Buffer.from("No picture"), "image/png", "a.png")).status).to.equal(200);
    await alive();
  });
});
