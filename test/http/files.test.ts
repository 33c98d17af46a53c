import { hash, randomBytes } from "node:crypto";
import { readdir, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import type { Extraction, FileToExtract } from "../../commands/ports.js";
import { UploadFolder } from "../../src/adapters/files/uploadFolder.js";
import { FollowedFiles, ServedFiles } from "../../src/daemon/uploadedFiles.js";
import type { FileAnswer, FilesAnswer, FileTextAnswer } from "../../src/api/files.js";
import { usualPatience, type Patience } from "../../src/http/server.js";
import { openTemporaryCommands, type CommandsUnderTest } from "../commands/temporaryCommands.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

const mine = "key";
const theirs = "bobsKey";
const crlf = "\r\n";

/** Reads a file as what its name says: `.png` is an image without text, everything else its own text. */
function extractionOf({ name }: FileToExtract): Extraction {
  if (name?.endsWith(".locked") === true) return { kind: "unextractable", reason: "The PDF is encrypted." };
  return name?.endsWith(".png") === true
    ? { kind: "text", text: "", facts: { mimeType: "image/png" } }
    : { kind: "text", text: "What it says.", facts: { mimeType: "application/pdf" } };
}

describe("uploaded files", () => {
  const folder = temporaryFolder("uploads");
  let under: CommandsUnderTest;
  let asked: FileToExtract[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let app: AppUnderTest;

  type Place = Awaited<ReturnType<UploadFolder["make"]>>;
  /** What happens once there is a place for an upload; answers how the place is removed. */
  let beforeReading: (place: Place) => Promise<Place["remove"]>;
  const uploads = {
    async make(): Promise<Place> {
      const place = await new UploadFolder(folder.path).make();
      return { ...place, remove: await beforeReading(place) };
    },
  };

  /** An api process of its own on the same log. */
  async function openApp(patience?: Patience): Promise<AppUnderTest> {
    const followed = new FollowedFiles(under.under.source, pino({ level: "silent" }));
    followed.start();
    const { source, contents, log } = under.under;
    const files = new ServedFiles({ log, source, contents, followed, patienceMs: 5_000 });
    const started = await startAppWithFakes({
      commands: under.commands,
      dependencies: { files, uploads },
      patience,
    });
    closing.push(
      () => started.stop(),
      () => followed.stop(),
    );
    return started;
  }

  before(async () => {
    const extract = (file: FileToExtract): Promise<Extraction> => {
      asked.push(file);
      return Promise.resolve(extractionOf(file));
    };
    under = await openTemporaryCommands({ extractor: { extract }, now: () => new Date() });
    app = await openApp();
  });
  after(async () => {
    for (const close of closing) await close();
    await under.close();
    folder.remove();
  });
  beforeEach(() => {
    asked = [];
    beforeReading = ({ remove }) => Promise.resolve(remove);
  });

  const call = (
    path: string,
    { as = mine, at = app, ...init }: RequestInit & { as?: string; at?: AppUnderTest } = {},
  ) =>
    fetch(`${at.url}/api/beta/files${path}`, { ...init, headers: { Authorization: `Bearer ${as}`, ...init.headers } });
  const formOf = (bytes: Uint8Array, name: string, type = "application/pdf", part = "file"): FormData => {
    const form = new FormData();
    form.append(part, new Blob([bytes], { type }), name);
    return form;
  };
  const upload = (
    body: FormData | string,
    { query = "?type=document", ...init }: { query?: string; as?: string } = {},
  ) => call(`/upload${query}`, { method: "POST", body, ...init });
  const uploaded = async (bytes: Uint8Array, name: string, as = mine): Promise<FileAnswer> => {
    const answer = await upload(formOf(bytes, name), { as });
    expect(answer.status).to.equal(200);
    return (await answer.json()) as FileAnswer;
  };
  const headOf = (...headers: readonly string[]): string =>
    [
      ...["POST /api/beta/files/upload?type=document HTTP/1.1", "Host: x", `Authorization: Bearer ${mine}`],
      ...["Content-Type: multipart/form-data; boundary=x", ...headers, "", ""],
    ].join(crlf);
  const partOf = (parameters: string, ...headers: readonly string[]): string =>
    [`--x`, `Content-Disposition: form-data; ${parameters}`, ...headers, "", ""].join(crlf);
  const sent = (parts: string) =>
    call("/upload?type=document", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: `${parts}${crlf}--x--${crlf}`,
    });
  const detailOf = async (answer: Response) => ((await answer.json()) as { detail: unknown }).detail;
  const placesLeft = async (): Promise<number> => (await readdir(join(folder.path, "uploads"))).length;
  const noneLeft = async () => expect(await readdir(join(folder.path, "uploads")).catch(() => [])).to.deep.equal([]);

  it("are answered with exactly the record of the spec", async () => {
    const bytes = randomBytes(70_000);
    const answer = await upload(formOf(bytes, "plan.pdf"));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("X-Consistency-Token")).to.be.a("string");
    const record = (await answer.json()) as FileAnswer;
    expect(record.id).to.match(/^file_[0-9a-f]{20}$/);
    expect(new Date(record.created_at).toISOString()).to.equal(record.created_at);
    const { id, created_at } = record;
    expect(record).to.deep.equal({
      ...{ id, type: "document", name: "plan.pdf", source: "uploaded_file", created_at, size: bytes.length },
    });
    expect(asked.map(({ mimeType, charset, name }) => [mimeType, charset, name])).to.deep.equal([
      ["application/pdf", null, "plan.pdf"],
    ]);
    await noneLeft();
  });

  it("are readable at another process at once, bytes and text", async () => {
    const bytes = randomBytes(99_000);
    const { id } = await uploaded(bytes, "größe.pdf");
    const other = await openApp();
    const content = await call(`/${id}/content`, { at: other });
    expect(hash("sha256", new Uint8Array(await content.arrayBuffer()))).to.equal(hash("sha256", bytes));
    expect(content.headers.get("Content-Type")).to.equal("application/pdf");
    expect(content.headers.get("X-Content-Type-Options")).to.equal("nosniff");
    expect(content.headers.get("Content-Disposition")).to.match(/^attachment; .*gr%C3%B6%C3%9Fe\.pdf/);
    const { files } = (await (await call("", { at: other })).json()) as FilesAnswer;
    expect(files[0]?.id).to.equal(id);
    expect((await call(`/${id}`, { at: other })).status).to.equal(200);
    const text = (await (await call(`/${id}/text`, { at: other })).json()) as FileTextAnswer;
    expect([text.name, text.mime_type, text.text_content]).to.deep.equal([
      ...["größe.pdf", "application/pdf", "What it says."],
    ]);
    expect(text.file).to.include({ title: null, truncated: false }).and.deep.include({ parts: [] });
  });

  it("are their owner's alone: nobody else finds, reads, lists or erases them", async () => {
    const { id } = await uploaded(randomBytes(10), "secret.pdf");
    for (const path of [`/${id}`, `/${id}/content`, `/${id}/text`])
      expect((await call(path, { as: theirs })).status).to.equal(404);
    expect((await call(`/${id}`, { as: theirs, method: "DELETE" })).status).to.equal(404);
    expect(await (await call("", { as: theirs })).json()).to.deep.equal({ files: [] });
    expect((await call(`/${id}`)).status).to.equal(200);
    expect((await call(`/${id}`, { as: "account" })).status).to.equal(401);
    expect((await upload(formOf(randomBytes(1), "a.pdf"), { as: "account" })).status).to.equal(401);
  });

  it("are gone with their erasure, for good", async () => {
    const { id } = await uploaded(randomBytes(10), "old.pdf");
    const erased = await call(`/${id}`, { method: "DELETE" });
    expect([erased.status, await erased.json()]).to.deep.equal([200, { status: "ok" }]);
    for (const path of [`/${id}`, `/${id}/content`]) expect((await call(path)).status).to.equal(404);
    expect((await call(`/${id}`, { method: "DELETE" })).status).to.equal(404);
    const { files } = (await (await call("")).json()) as FilesAnswer;
    expect(files.map((file) => file.id)).not.to.include(id);
  });

  it("are listed the newest first, page by page", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) ids.unshift((await uploaded(randomBytes(3), "a.pdf", "auditorKey")).id);
    const found: string[] = [];
    for (let next: string | undefined = ""; next !== undefined;) {
      const answer = await call(`?count=2&next=${encodeURIComponent(next)}`);
      const page = (await answer.json()) as FilesAnswer;
      expect(page.files.length).to.be.lessThanOrEqual(2);
      found.push(...page.files.map(({ id }) => id));
      next = page.next;
    }
    expect(found.filter((id) => ids.includes(id))).to.deep.equal(ids);
    expect(new Set(found).size).to.equal(found.length);
    expect((await call("?count=0")).status).to.equal(422);
  });

  describe("are refused", () => {
    const locOf = async (answer: Response): Promise<unknown> =>
      ((await detailOf(answer)) as { loc: unknown; type: string; msg: string }[]).map(({ loc, type }) => [
        loc,
        type,
      ])[0];

    it("without a type, before a byte is read, and of an unknown one", async () => {
      const without = await upload(formOf(randomBytes(5), "a.pdf"), { query: "" });
      expect([without.status, await locOf(without)]).to.deep.equal([422, [["query", "type"], "missing"]]);
      const unknown = await upload(formOf(randomBytes(5), "a.pdf"), { query: "?type=video" });
      expect([unknown.status, await locOf(unknown)]).to.deep.equal([422, [["query", "type"], "enum"]]);
      const connection = await RawConnection.open(app.url);
      const head = ["POST /api/beta/files/upload HTTP/1.1", "Host: x", `Authorization: Bearer ${mine}`];
      await connection.send(
        [
          ...head,
          "Expect: 100-continue",
          "Content-Length: 500",
          "Content-Type: multipart/form-data; boundary=x",
          "",
          "",
        ].join(crlf),
      );
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 422 /);
      expect(asked).to.deep.equal([]);
    });

    it("where the content is of the other type", async () => {
      const image = await upload(formOf(randomBytes(5), "a.png", "image/png"));
      expect([image.status, await locOf(image)]).to.deep.equal([422, [["body", "file"], "value_error"]]);
      const text = await upload(formOf(randomBytes(5), "a.pdf"), { query: "?type=image" });
      expect([text.status, await locOf(text)]).to.deep.equal([422, [["body", "file"], "value_error"]]);
      expect((await upload(formOf(randomBytes(5), "a.png"), { query: "?type=image" })).status).to.equal(200);
    });

    it("where the form has too many fields, too large ones, or one in an unknown encoding", async () => {
      const ofFile = `${partOf('name="file"; filename="a.pdf"')}y${crlf}`;
      const field = (text: string, ...headers: readonly string[]) =>
        `${partOf('name="about"', ...headers)}${text}${crlf}`;
      for (const [fields, said] of [
        [field("").repeat(17), "at most 16 fields"],
        [field("y".repeat(65_537)), "at most 65536 bytes"],
        [field("y", "Content-Transfer-Encoding: quoted-printable"), "Content-Transfer-Encoding"],
      ] as const)
        for (const parts of [ofFile + fields, fields + ofFile]) {
          const answer = await sent(parts.slice(0, -crlf.length));
          expect(answer.status).to.equal(422);
          expect(JSON.stringify(await detailOf(answer))).to.include(said);
        }
      await noneLeft();
    });

    it("where they are two, without a descriptor left open", async () => {
      const two = formOf(randomBytes(50_000), "a.pdf");
      two.append("file", new Blob([randomBytes(50_000)]), "b.pdf");
      for (let form = 0; form < 10; form++) expect((await upload(two)).status).to.equal(422);
      const open = await Promise.all(
        (await readdir("/proc/self/fd").catch(() => [])).map((number) =>
          readlink(`/proc/self/fd/${number}`).catch(() => ""),
        ),
      );
      expect(open.filter((path) => path.startsWith(folder.path) && path.includes("/uploads/"))).to.deep.equal([]);
    });

    it("where they cannot be read, with the reason", async () => {
      const answer = await upload(formOf(randomBytes(5), "a.locked"));
      expect(answer.status).to.equal(422);
      expect(JSON.stringify(await detailOf(answer))).to.include("The PDF is encrypted");
      await noneLeft();
    });

    it("where the form has no file, an empty one, or two", async () => {
      const other = await upload(formOf(randomBytes(5), "a.pdf", "application/pdf", "other"));
      expect([other.status, await locOf(other)]).to.deep.equal([422, [["body", "file"], "missing"]]);
      const empty = await upload(formOf(Buffer.alloc(0), "a.pdf"));
      expect([empty.status, await locOf(empty)]).to.deep.equal([422, [["body", "file"], "value_error"]]);
      const two = formOf(randomBytes(5), "a.pdf");
      two.append("file", new Blob([randomBytes(5)]), "b.pdf");
      const answer = await upload(two);
      expect([answer.status, await locOf(answer)]).to.deep.equal([422, [["body", "file"], "value_error"]]);
      await noneLeft();
    });

    it("as something else than a form", async () => {
      expect((await upload("{}")).status).to.equal(415);
      const nothing = await call("/upload?type=document", { method: "POST" });
      expect([nothing.status, await locOf(nothing)]).to.deep.equal([422, [["body"], "missing"]]);
      const init = { method: "POST", headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: "--y" };
      expect((await call("/upload?type=document", init)).status).to.equal(422);
      await noneLeft();
    });

    it("beyond the largest size, whether that is said before or not, and at it they are not", async () => {
      expect((await upload(formOf(randomBytes(100_000), "a.pdf"))).status).to.equal(200);
      const answer = await upload(formOf(randomBytes(100_001), "a.pdf"));
      expect([answer.status, await detailOf(answer)]).to.deep.equal([413, "The file may have at most 100000 bytes."]);
      const connection = await RawConnection.open(app.url);
      const head = ["POST /api/beta/files/upload?type=document HTTP/1.1", "Host: x", `Authorization: Bearer ${mine}`];
      const type = "Content-Type: multipart/form-data; boundary=x";
      await connection.send([...head, type, "Expect: 100-continue", "Content-Length: 5000000", "", ""].join(crlf));
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 413 /);
      await noneLeft();
    });

    for (const [what, status, before] of [
      [
        "in the file",
        413,
        `--x${crlf}Content-Disposition: form-data; name="file"; filename="a"${crlf}Content-Type: a/b${crlf}${crlf}`,
      ],
      ["in a header", 413, `--x${crlf}Content-Disposition: form-data; name="`],
      ["in a field", 422, `--x${crlf}Content-Disposition: form-data; name="a"${crlf}${crlf}`],
    ] as const)
      it(`where more and more comes ${what}, without a length`, async () => {
        const connection = await RawConnection.open(app.url);
        const head = ["POST /api/beta/files/upload?type=document HTTP/1.1", "Host: x", `Authorization: Bearer ${mine}`];
        const more = ["Content-Type: multipart/form-data; boundary=x", "Transfer-Encoding: chunked", "", ""];
        await connection.send([...head, ...more].join(crlf));
        const body = before + "y".repeat(400_000);
        await connection.send(`${body.length.toString(16)}${crlf}${body}${crlf}`);
        expect(await connection.until(/\}$/)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        connection.destroy();
        await noneLeft();
      });
  });

  it("are taken from parts that name no media type, no name, or both not", async () => {
    for (const [bytes, parameters, name] of [
      [10, '; filename="a.pdf"', "a.pdf"],
      [70_000, '; filename="a.pdf"', "a.pdf"],
      [10, "", "file"],
    ] as const) {
      const answer = await sent(`${partOf(`name="file"${parameters}`)}${"y".repeat(bytes)}`);
      expect(answer.status).to.equal(200);
      const { name: called, size } = (await answer.json()) as FileAnswer;
      expect([called, size]).to.deep.equal([name, bytes]);
    }
    expect(asked.map(({ mimeType }) => mimeType)).to.deep.equal(asked.map(() => "application/octet-stream"));
  });

  it("may have fields beside them, whatever those say of themselves", async () => {
    const fields = ["Content-Type: text/plain", "Content-Transfer-Encoding: 8bit"].map(
      (header) => `${partOf('name="about"', header)}words${crlf}`,
    );
    expect((await sent(`${fields.join("")}${partOf('name="file"; filename="a.pdf"')}y`)).status).to.equal(200);
  });

  it("are settled where their client is gone before they are read", async () => {
    const connection = await RawConnection.open(app.url);
    const isRemoved = new Promise<void>((resolve) => {
      beforeReading = async ({ remove }) => {
        connection.destroy();
        // What the client does after its end is heard after it.
        for (let request = 0; request < 2; request++) await call("");
        return async () => {
          await remove();
          resolve();
        };
      };
    });
    await connection.send(headOf("Content-Length: 1000"));
    await isRemoved;
    await noneLeft();
  });

  describe("leave nothing behind", () => {
    const begin = async (connection: RawConnection): Promise<void> =>
      connection.send(headOf("Content-Length: 50000") + `${partOf('name="file"; filename="a"')}begun`);

    it("where their client goes away", async () => {
      const connection = await RawConnection.open(app.url);
      await begin(connection);
      while ((await placesLeft()) === 0);
      connection.destroy();
      while ((await placesLeft()) > 0);
    });

    it("where their client stalls, which is told so", async () => {
      const patience = { ...usualPatience, bodyBytesPerSecond: 1_000_000, bodyPeriodMs: 100, checkEveryMs: 20 };
      const connection = await RawConnection.open((await openApp(patience)).url);
      await begin(connection);
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 408 /);
      while ((await placesLeft()) > 0);
    });

    it("where there is no room for them", async () => {
      const full = Object.assign(new Error("No room"), { code: "ENOSPC" });
      beforeReading = async ({ remove }) => {
        await remove();
        throw full;
      };
      const answer = await upload(formOf(randomBytes(10), "a.pdf"));
      expect([answer.status, answer.headers.has("Retry-After")]).to.deep.equal([503, true]);
      expect(await detailOf(answer)).to.include("The disk of the service is full");
    });

    it("where they cannot be written", async () => {
      beforeReading = async ({ path, remove }) => {
        await remove();
        await writeFile(path, "no folder");
        return remove;
      };
      expect((await upload(formOf(randomBytes(90_000), "a.pdf"))).status).to.equal(500);
      await noneLeft();
      beforeReading = ({ remove }) => Promise.resolve(remove);
      expect((await upload(formOf(randomBytes(10), "a.pdf"))).status).to.equal(200);
    });
  });
});
