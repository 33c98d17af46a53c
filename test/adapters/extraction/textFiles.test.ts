import { expect } from "chai";
import * as fc from "fast-check";
import { readFile } from "../../../src/adapters/extraction/readFile.js";
import { carriedString } from "../../../src/shared/carriedText.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const limits = { maxCharacters: 1_000_000, ocrLanguages: null };
const extract = (mimeType: string, content: string | Buffer, charset: string | null = null) =>
  readFile({ mimeType, charset, bytes: Buffer.from(content as string), name: null }, limits);

async function textOf(...file: Parameters<typeof extract>): Promise<string> {
  const extraction = await extract(...file);
  if (extraction.kind === "unstorable") return "unstorable";
  return extraction.kind === "text" ? carriedString(extraction.text) : `unextractable: ${extraction.reason}`;
}

describe("reading text files", () => {
  it("takes plain text, Markdown, source code and data as they are", async () => {
    for (const type of [
      "text/plain",
      "text/markdown",
      "text/csv",
      "text/x-python",
      "application/yaml",
      "application/javascript",
      "text/unheard-of",
    ]) {
      expect(await textOf(type, "# Größe\n\nx = 1"), type).to.equal("# Größe\n\nx = 1");
    }
  });

  it("takes the readable text of a page", async () => {
    const page = `<html><head><title>Title</title><style>p { color: red }</style><script>alert("no")</script></head>
      <body><h1>Travel &amp; Leave</h1><p>Send <b>receipts</b>.</p><!-- hidden --><ul><li>one<li>two</ul>
      <table><tr><th>Name</th><td>Ada</td></tr></table><a href="https://example.org/x">link</a><img src="x.png" alt="alt"></body></html>`;
    const text = await textOf("text/html", page);
    for (const words of ["Travel & Leave", "Send receipts.", "one", "two", "Name", "Ada", "link"])
      expect(text).to.contain(words);
    expect(text).not.to.match(/alert|color|hidden|example\.org|TRAVEL|NAME/);
  });

  it("takes cells, terms and items apart, and leaves menus out", async () => {
    const page =
      "<nav><a>Start</a></nav><table><tr><th>One</th><td>two</td></tr><tr><td>three</td></tr></table>" +
      "<dl><dt>four</dt><dd>five</dd></dl><ul role=navigation><li>Menu</ul><button>Go</button><p hidden>no</p>" +
      "<ul><li>six</li><li>seven</li></ul>eight<br>nine<div>ten</div>eleven";
    const words = (await textOf("text/html", `<body>${page}<footer>Imprint</footer></body>`)).split(/[\s*]+/);
    expect(words.filter((word) => word !== "").join(" ")).to.equal(
      "One two three four five six seven eight nine ten eleven",
    );
  });

  it("takes the character data of XML", async () => {
    const xml = `<?xml version="1.0"?><!-- no --><a x="no"><b>One &lt; two &#228;&#xe4;</b><![CDATA[ <raw> & ]]><c/>end</a>`;
    expect(await textOf("application/xml", xml)).to.equal("One < two ää <raw> & end");
    expect(await textOf("image/svg+xml", "<svg><text>Hi</text></svg>")).to.equal("Hi");
  });

  it("takes keys and values of JSON, and text that only claims to be JSON as it is", async () => {
    expect(
      (await textOf("application/json", '{"title":"Gr\\u00f6\\u00dfe","n":[1,true,null]}')).split("\n"),
    ).to.include.members(["title", "Größe", "n", "1", "true"]);
    expect(await textOf("application/ld+json", "// comment\n{}")).to.equal("// comment\n{}");
  });

  it("decodes by byte order mark, then charset, then the file's own word, then UTF-8, then Windows-1252", async () => {
    const latin = Buffer.from("Größe", "latin1");
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Größe", "utf16le")]);
    expect(await textOf("text/plain", marked, "utf-8")).to.equal("Größe");
    expect(await textOf("text/plain", latin, "iso-8859-1")).to.equal("Größe");
    expect(await textOf("text/html", Buffer.concat([Buffer.from('<meta charset="iso-8859-1">'), latin]))).to.equal(
      "Größe",
    );
    expect(
      await textOf(
        "text/xml",
        Buffer.concat([Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>'), latin, Buffer.from("</a>")]),
      ),
    ).to.equal("Größe");
    expect(await textOf("text/plain", "Größe")).to.equal("Größe");
    expect(await textOf("text/plain", Buffer.from([0x93, 0x80, 0x94]))).to.equal("“€”");
    expect(await textOf("text/plain", Buffer.from([0xef, 0xbb, 0xbf, 0x61]))).to.equal("a");
  });

  it("says why there is no text", async () => {
    expect(await textOf("text/plain", "a", "klingon")).to.match(/^unextractable: .*klingon/);
    expect(await textOf("text/plain", Buffer.from([0xe4]), "utf-8")).to.match(/^unextractable: .*not valid utf-8/);
    expect(await textOf("text/plain", Buffer.from([0x61, 0xd8, 0x00]), "utf-16be")).to.match(/not valid utf-16be/);
  });

  it("takes what the file says of itself for true only where it is", async () => {
    const page = (charset: string, words: Buffer | string): Buffer =>
      Buffer.concat([Buffer.from(`<meta charset="${charset}"><p>`), Buffer.from(words as string)]);
    for (const charset of ["utf-16", "x-unknown-8bit", "iso-8859-1", "us-ascii", "utf-8"])
      expect(await textOf("text/html", page(charset, "Größe")), charset).to.equal("Größe");
    for (const charset of ["utf-8", "utf-16le", "klingon"])
      expect(await textOf("text/html", page(charset, Buffer.from("Größe", "latin1"))), charset).to.equal("Größe");
    const stray = Buffer.concat([Buffer.from("Größe, Maße, Füße "), Buffer.from([0xe4, 0x20, 0xe2, 0x80])]);
    expect(await textOf("text/html", page("utf-8", stray))).to.equal("Größe, Maße, Füße ä â€");
  });

  it("reads what does not fit the declared charset but for a few bytes", async () => {
    const long = "words and more words ".repeat(10);
    const stray = Buffer.from(`${long}\u00e4`, "latin1");
    expect(await textOf("text/plain", stray, "utf-8")).to.equal(`${long}ä`);
    const japanese = Buffer.concat([Buffer.from(long), Buffer.from([0x93, 0xfa, 0x20, 0xff])]);
    expect(await textOf("text/plain", japanese, "shift_jis")).to.equal(`${long}日 \ufffd`);
  });

  it("tells a text that cannot be stored from a file that cannot be read", async () => {
    const files: readonly Parameters<typeof extract>[] = [
      ["text/plain", Buffer.from([1, 0, 2])],
      ["text/plain", Buffer.from([0x00, 0x61, 0xd8, 0x00]), "utf-16be"],
      ["application/json", '{"a":"\\u0000"}'],
      ["application/json", '{"\\ud800":1}'],
    ];
    for (const file of files) expect(await textOf(...file), String(file[1])).to.equal("unstorable");
    expect(await textOf("application/json", '"\\ud83d\\ude00"')).to.equal("😀");
    for (const markup of ["<p>a&#0;b&#xd800;c</p>"])
      for (const type of ["text/html", "application/xml"]) expect(await textOf(type, markup)).to.match(/^a.b.c$/);
  });

  it("tells a page whose structure would keep a reader busy for minutes", async () => {
    for (const markup of ["<a>".repeat(20_000), "<b></b>".repeat(600_000)])
      expect(await textOf("text/html", markup)).to.match(/^unextractable: /);
  });

  it("survives what is nested deeper than any stack", async () => {
    for (const [type, open] of [
      ["text/html", "<div>"],
      ["text/xml", "<a>"],
      ["application/json", "["],
    ] as const) {
      const { kind } = await extract(type, open.repeat(100_000));
      expect(kind).to.be.oneOf(["text", "unextractable"]);
    }
  });

  it("never throws, whatever the bytes", async () => {
    const markup = fc
      .array(
        fc.constantFrom(
          "<",
          ">",
          "&",
          ";",
          "<!--",
          "-->",
          "<![CDATA[",
          "]]>",
          "&#x41;",
          "&#0;",
          "&#xd800;",
          '"',
          "p",
          "meta charset=",
          "\u0080",
          "{",
          "}",
          ":",
        ),
        { maxLength: 30 },
      )
      .map((parts) => Buffer.from(parts.join("")));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
      markup,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("text/plain", "text/html", "text/xml", "application/json"),
        bytes,
        fc.constantFrom(null, "utf-8", "utf-16le", "shift_jis", ""),
        async (mimeType, content, charset) => {
          const extraction = await extract(mimeType, content, charset);
          if (extraction.kind === "text") expect(extraction.text).not.to.match(/[\0\p{Surrogate}]/u);
        },
      ),
      propertyRuns(500),
    );
  });
});
