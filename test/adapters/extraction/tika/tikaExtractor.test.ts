import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import type { Extraction, FileToExtract } from "../../../../commands/ports.js";
import { TikaExtractor } from "../../../../src/adapters/extraction/tika/tikaExtractor.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

const unknown: Extraction = { kind: "unextractable", reason: "Nobody here reads that.", isUnknownType: true };
const visio = "application/vnd.visio";
const file: FileToExtract = { content: Buffer.from("a drawing"), mimeType: visio, charset: null, name: null };

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers as Tika's server is documented to, one answer after the other; the last one for ever. */
type Answer = (response: ServerResponse) => void;

const entries =
  (...found: readonly object[]): Answer =>
  (response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(found));
  };

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end();
  };

describe("TikaExtractor", () => {
  let server: Server;
  let asked: Asked[];
  let answers: Answer[];
  let failures: string[];

  beforeEach(async () => {
    [asked, answers, failures] = [[], [], []];
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        asked.push({ method: request.method, url: request.url, headers: request.headers, body });
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        answer?.(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const extract = (
    given: { readonly file?: FileToExtract; readonly ours?: Extraction; readonly url?: string } & {
      readonly timeoutMs?: number;
      readonly maxCharacters?: number;
    } = {},
  ): Promise<Extraction> => {
    const { timeoutMs = 60_000, maxCharacters = 1_000 } = given;
    const ours = { extract: () => Promise.resolve(given.ours ?? unknown) };
    const onFailed = (because: string): void => void failures.push(because);
    const options = { url: given.url ?? `${url()}/`, timeoutMs, maxCharacters, onFailed };
    return new TikaExtractor(ours, options).extract(given.file ?? file);
  };

  it("sends what nobody here reads, and takes over what Tika found", async () => {
    answers = [
      entries(
        {
          "Content-Type": "application/vnd.ms-visio.drawing; charset=x",
          "X-TIKA:content": "\n\n Der Grundriss \n\n\n des Hauses\u0000 \n",
          "dc:title": "Haus",
          "dc:creator": ["Ada", "Grace"],
          "dc:language": "de-AT",
          "xmpTPg:NPages": "3",
          "dcterms:created": "2024-01-31T22:59:59Z",
          "dcterms:modified": "2024-02-01T08:00:00Z",
        },
        { "Content-Type": "text/plain", "X-TIKA:content": "Eine Anlage" },
      ),
    ];
    expect(await extract()).to.deep.equal({
      kind: "text",
      text: "Der Grundriss\ndes Hauses\nEine Anlage",
      facts: {
        mimeType: "application/vnd.ms-visio.drawing",
        declaredMimeType: visio,
        title: "Haus",
        author: "Ada, Grace",
        language: "de",
        pageCount: 3,
        createdAt: "2024-01-31T22:59:59.000Z",
        modifiedAt: "2024-02-01T08:00:00.000Z",
      },
    });
    const [{ method, url: path, headers, body } = expect.fail()] = asked;
    expect([method, path, body]).to.deep.equal(["PUT", "/rmeta/text", "a drawing"]);
    expect(headers).to.include({ "content-type": visio, accept: "application/json", writelimit: "1000" });
  });

  it("sends a file of the disk", async () => {
    const folder = temporaryFolder("tika");
    const path = join(folder.path, "file");
    writeFileSync(path, "x".repeat(3_000_000));
    answers = [entries({ "Content-Type": visio, "X-TIKA:content": "text" })];
    expect(await extract({ file: { ...file, content: { path }, mimeType: null } })).to.include({ text: "text" });
    expect(asked[0]?.body.length).to.equal(3_000_000);
    expect(asked[0]?.headers).to.not.have.property("content-type");
    folder.remove();
  });

  it("does not ask about what was read here, or is damaged", async () => {
    for (const ours of [
      { kind: "text", text: "read", facts: { mimeType: "text/plain" } },
      { kind: "unextractable", reason: "The PDF is encrypted." },
      { kind: "unstorable" },
    ] as const)
      expect(await extract({ ours })).to.equal(ours);
    expect(asked).to.have.length(0);
  });

  it("waits as long as Tika asks for where it is full, and asks again", async () => {
    const read = entries({ "Content-Type": visio, "X-TIKA:content": "text" });
    answers = [status(429, { "Retry-After": "0" }), status(503, { "Retry-After": "0" }), read];
    expect(await extract()).to.include({ kind: "text", text: "text" });
    expect(asked).to.have.length(3);
  });

  it("gives up where the wait is longer than a file may take", async () => {
    answers = [status(429, { "Retry-After": "60" })];
    expect(await extract()).to.deep.equal({
      kind: "unextractable",
      reason: "Apache Tika did not take the file: it is busy. Send the document again later.",
    });
    expect(failures).to.deep.equal(["it is busy. Send the document again later"]);
  });

  it("leaves the reason as it was where Tika cannot read the format either", async () => {
    answers = [status(422)];
    expect(await extract()).to.equal(unknown);
  });

  it("has no text where Tika found none", async () => {
    answers = [status(204)];
    expect(await extract()).to.deep.equal({ kind: "text", text: "", facts: { mimeType: visio } });
  });

  it("tells what is encrypted and what is damaged", async () => {
    const reasonOf = async (exception: string): Promise<string> => {
      answers = [entries({ "Content-Type": visio, "X-TIKA:EXCEPTION:container_exception": exception })];
      const extraction = await extract();
      return extraction.kind === "unextractable" ? extraction.reason : extraction.kind;
    };
    expect(await reasonOf("org.apache.tika.exception.EncryptedDocumentException: …")).to.equal(
      "The file is encrypted.",
    );
    expect(await reasonOf("org.apache.tika.exception.TikaException: …")).to.equal(
      "The file is damaged: Apache Tika cannot read it.",
    );
  });

  it("cuts a long text, and says so where Tika has cut it", async () => {
    answers = [entries({ "Content-Type": visio, "X-TIKA:content": "word ".repeat(100) })];
    expect(await extract({ maxCharacters: 10 })).to.deep.include({
      text: "word word ",
      facts: { mimeType: visio, truncated: true },
    });
    answers = [
      entries({ "Content-Type": visio, "X-TIKA:content": "word", "X-TIKA:EXCEPTION:write_limit_reached": "true" }),
    ];
    expect(await extract()).to.deep.include({ text: "word", facts: { mimeType: visio, truncated: true } });
  });

  it("tells why Tika did not take a file", async () => {
    const reasonOf = async (answer: Answer, given = {}): Promise<string> => {
      answers = [answer];
      const extraction = await extract(given);
      return extraction.kind === "unextractable" ? extraction.reason : extraction.kind;
    };
    const because = (reason: string): string => `Apache Tika did not take the file: ${reason}.`;
    expect(await reasonOf(status(500))).to.equal(because("it answered 500"));
    expect(await reasonOf((response) => response.end("<html>"))).to.equal(
      because("it answered what nobody understands"),
    );
    expect(await reasonOf((response) => response.end("[]"))).to.equal(because("it answered what nobody understands"));
    expect(await reasonOf((response) => response.end("x".repeat(2_000_000)))).to.equal(
      because("its answer is too large"),
    );
    expect(await reasonOf((response) => response.destroy())).to.equal(because("it cannot be reached"));
    expect(await reasonOf(() => {}, { timeoutMs: 200 })).to.equal(because("reading took longer than 0.2 s"));
    expect(await reasonOf(() => {}, { url: "http://127.0.0.1:1" })).to.equal(because("it cannot be reached"));
  });
});
