import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { openDocumentIntake } from "../../src/adapters/documentIntake/documentIntake.js";
import type { IndexDocument } from "../../commands/commands.js";
import { contentReference } from "../../src/events/contents.js";
import { carriedString } from "../../src/shared/carriedText.js";
import type { DocumentIntake } from "../../src/http/ports.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const mebibyte = 1_048_576;

const message = (id: string, body: object, fields: object = {}): object => ({
  datasource: "wiki",
  id,
  title: id,
  body,
  file_type: "file",
  ...fields,
});
const text = (length: number): object => ({ mime_type: "Text/Plain; charset=utf-8", text_content: "ä".repeat(length) });
const page = { mime_type: "text/html", binary_base64: Buffer.from("<p>Hello</p>").toString("base64") };
const bodyOf = (documents: unknown): Buffer => Buffer.from(JSON.stringify({ documents }));
/** Larger ones come in files. */
const mostInMemory = 262_144;

/** Of large bodies, texts come with what they are known by, so that nobody else has to hash them. */
const withContent = (document: IndexDocument): IndexDocument =>
  document.body.kind === "text"
    ? { ...document, body: { ...document.body, content: contentReference(carriedString(document.body.text)) } }
    : document;

describe("the intake of documents", () => {
  let intake: DocumentIntake & { close(): Promise<void> };
  let folder: ReturnType<typeof temporaryFolder>;
  let files = 0;

  beforeEach(() => {
    folder = temporaryFolder("intake");
    intake = openDocumentIntake({ maxBinaryBytes: 10 * mebibyte, maxBodyBytes: 32 * mebibyte });
  });
  afterEach(async () => {
    await intake.close();
    folder.remove();
  });

  /** As the service does, by its size. */
  const read = async (
    body: Buffer,
    turn = { holder: "a", signal: new AbortController().signal },
  ): ReturnType<DocumentIntake["read"]> => {
    if (body.length <= mostInMemory) return intake.read(body);
    const path = join(folder.path, `body${files++}`);
    await writeFile(path, body);
    return intake.readFile(path, turn);
  };

  it("turns a document into a command", async () => {
    const permissions = {
      allowed_users: [{ email: " Bob@Example.org" }, { email: "ada@example.org" }, { email: "bob@example.org" }],
      allowed_groups: ["b", "a", "b"],
    };
    const outcome = await read(
      bodyOf(
        message("a", text(2), {
          permissions,
          last_modified: "2024-05-01 09:30",
          data_source_sub: "hr",
          custom_properties: [{ name: "n", value: 1, more: 2 }],
        }),
      ),
    );
    expect(outcome).to.deep.equal({
      ok: true,
      value: {
        form: "single",
        document: {
          datasource: "wiki",
          documentId: "a",
          title: "a",
          body: { kind: "text", text: "ää", mimeType: "text/plain", size: 4 },
          fileType: "file",
          pathPreview: null,
          path: null,
          author: null,
          lastModified: "2024-05-01 09:30",
          sub: "hr",
          childSub: null,
          access: { anonymous: false, users: ["ada@example.org", "bob@example.org"], groups: ["a", "b"] },
          customProperties: [{ name: "n", value: 1 }],
        },
      },
    });
  });

  it("tells no permissions from empty ones", async () => {
    const outcome = await read(
      bodyOf([
        message("a", page),
        message("b", page, { permissions: {} }),
        message("c", page, { permissions: { allow_anonymous_access: true } }),
      ]),
    );
    if (!outcome.ok || outcome.value.form !== "array") throw new Error("It is an array.");
    expect(outcome.value.documents.map(({ access }) => access)).to.deep.equal([
      null,
      { anonymous: false, users: [], groups: [] },
      { anonymous: true, users: [], groups: [] },
    ]);
  });

  it("leaves a file as it is, with what was said of it", async () => {
    const body = { mime_type: 'Text/HTML; Charset="UTF-8"', binary_base64: page.binary_base64 };
    const outcome = await read(bodyOf(message("a", body, { path_preview: "https://x.org/a%20b.htm?page=1" })));
    expect(outcome).to.deep.nested.include({
      ok: true,
      "value.document.body": {
        kind: "file",
        bytes: Buffer.from("<p>Hello</p>"),
        mimeType: "text/html",
        charset: "UTF-8",
        name: "a b.htm",
      },
    });
  });

  it("reads a large body as it reads a small one, in order, several at once", async () => {
    const documents = Array.from({ length: 400 }, (_, index) =>
      message(`d${index}`, index % 3 === 0 ? page : text(1_000)),
    );
    const small = await Promise.all(documents.map((document) => read(bodyOf(document))));
    const expected = small.map((outcome) =>
      outcome.ok && outcome.value.form === "single" ? withContent(outcome.value.document) : null,
    );
    const large = await Promise.all(Array.from({ length: 5 }, () => read(bodyOf(documents))));
    for (const outcome of large)
      expect(outcome).to.deep.equal({ ok: true, value: { form: "array", documents: expected, refused: [] } });
  });

  it("keeps the single form of a large document, and its issues", async () => {
    const outcome = await read(bodyOf(message("a", text(200_000))));
    expect(outcome).to.deep.nested.include({
      ok: true,
      "value.form": "single",
      "value.document.documentId": "a",
      "value.document.body.size": 400_000,
    });
    const refused = await read(bodyOf({ ...message("a", text(200_000)), id: ".." }));
    expect(refused).to.deep.nested.include({ ok: false, "error[0].loc": ["body", "documents", "id"] });
    const inArray = await read(bodyOf([message("a", text(200_000)), message("..", page), null]));
    expect(inArray).to.deep.nested.include({
      ok: true,
      "value.documents.length": 1,
      "value.refused[0].at": 1,
      "value.refused[0].isNamed": false,
      "value.refused[1].documentId": "",
    });
  });

  const file = (content: string | Buffer): object => ({
    mime_type: "text/plain",
    binary_base64: Buffer.from(content as string).toString("base64"),
  });
  const faulty: readonly (readonly [string, object, object, RegExp])[] = [
    ["a NUL character", { mime_type: "text/plain", text_content: "a\0" }, {}, /^body\.text_content: .*NUL/],
    ["an unpaired surrogate", page, { title: "\ud800" }, /^title: .*surrogates\.$/],
    ["a date that does not exist", page, { last_modified: "2024-02-30" }, /^last_modified: /],
    [
      "bad Base64",
      { mime_type: "text/plain", binary_base64: "%%%" },
      {},
      /^body\.binary_base64: .*Base64: character 1 is "%"\.$/,
    ],
    ["an oversized binary", file(Buffer.alloc(10 * mebibyte + 1)), {}, /^body\.binary_base64: .*10485760 bytes\.$/],
    ["a title that is too long", page, { title: "a".repeat(1_025) }, /^title: .*1024 characters\.$/],
    [
      "a key of permissions that is misspelt",
      page,
      { permissions: { allowed_group: [] } },
      /^permissions\.allowed_group: /,
    ],
    ["a body that is none", [], { body: null }, /^body: /],
    [
      "properties of wrong lengths and numbers",
      page,
      {
        custom_properties: [
          { name: "a", value: "x".repeat(8_193) },
          ...Array.from({ length: 6 }, () => ({ name: "b", value: 1 })),
        ],
      },
      /^custom_properties\.0\.value: .*8192 characters; .*twice.*; and 1 more\.$/,
    ],
  ];
  for (const [what, body, fields, reason] of faulty) {
    it(`lets ${what} fail its document alone in an array, and the request where it is the only one`, async () => {
      const wrong = message("wrong", body, fields);
      const array = await read(bodyOf([message("a", page), wrong, message("b", page)]));
      if (!array.ok || array.value.form !== "array") throw new Error("It is an array.");
      expect(array.value.documents.map(({ documentId }) => documentId)).to.deep.equal(["a", "b"]);
      const [refused, ...others] = array.value.refused;
      expect(others).to.deep.equal([]);
      expect(refused).to.include({ at: 1, documentId: "wrong" });
      expect(refused?.message).to.match(reason);
      const single = await read(bodyOf(wrong));
      expect(single.ok ? [] : single.error[0]?.loc.slice(0, 2)).to.deep.equal(["body", "documents"]);
      expect(single.ok ? "" : single.error[0]?.loc.slice(2).join(".")).to.equal(
        /^[^:]+/.exec(refused?.message ?? "")?.[0],
      );
    });
  }

  it("refuses the whole where an infinite number or an unstorable text belongs to no document", async () => {
    const sent = JSON.stringify({ documents: [message("a", page, { custom_properties: [{ name: "n", value: 0 }] })] });
    const infinite = await read(Buffer.from(sent.replace('"value":0', '"value":1e400')));
    expect(infinite).to.deep.nested.include({ ok: true, "value.documents": [], "value.refused[0].documentId": "a" });
    const beside = await read(Buffer.from(JSON.stringify({ documents: [message("a", page)], note: "\0" })));
    expect(beside).to.deep.nested.include({ ok: false, "error[0].loc": ["body", "note"] });
  });

  it("does not hold up the event loop with a large body", async () => {
    const body = bodyOf(Array.from({ length: 2_000 }, (_, index) => message(`d${index}`, text(2_000))));
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await read(body);
    clearInterval(counting);
    expect(turns).to.be.greaterThan(10);
  });

  it("hands a large text on in memory that threads share", async () => {
    const outcome = await read(bodyOf(message("a", text(300_000))));
    if (!outcome.ok || outcome.value.form !== "single" || outcome.value.document.body.kind !== "text")
      return expect.fail("There is no text.");
    const { text: carried } = outcome.value.document.body;
    expect(typeof carried !== "string" && carried.buffer instanceof SharedArrayBuffer).to.equal(true);
    expect(carriedString(carried) === "ä".repeat(300_000)).to.equal(true);
  });

  it("hands files on in memory of their own", async () => {
    const small = Buffer.alloc(100, "a");
    const large = Buffer.alloc(400_000, "b");
    const bodies = [small, large].map((bytes) => ({ mime_type: "image/png", binary_base64: bytes.toString("base64") }));
    const outcome = await read(bodyOf(bodies.map((body, index) => message(`d${index}`, body))));
    if (!outcome.ok || outcome.value.form !== "array") throw new Error("It is an array.");
    const bytesOf = outcome.value.documents.map(({ body }) => (body.kind === "file" ? body.bytes : null));
    expect(bytesOf.map((bytes) => bytes?.byteLength === bytes?.buffer.byteLength)).to.deep.equal([true, true]);
    expect(bytesOf.map((bytes) => Buffer.from(bytes ?? []).toString())).to.deep.equal([String(small), String(large)]);
  });

  it("refuses a body of nothing but tiny values", async () => {
    const refused = await read(Buffer.from(`{"documents":[${"0,".repeat(1_000_000)}0]}`));
    expect(refused).to.deep.nested.include({ ok: false, "error[0].type": "json_invalid" });
  });
});
