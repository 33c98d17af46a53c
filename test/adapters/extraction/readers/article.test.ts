import { expect } from "chai";
import { readFile } from "../../../../src/adapters/extraction/readFile.js";

const limits = { maxCharacters: 1_000_000, ocrLanguages: null };
const sentence = "Passengers are paid back a quarter of the fare, after an hour, where the train is late. ";

/** What a page of these bytes is read as. */
async function read(page: string | Buffer, charset: string | null = null): Promise<string> {
  const file = { bytes: Buffer.from(page), mimeType: "text/html", charset, name: null, form: "article" as const };
  const extraction = await readFile(file, limits);
  return extraction.kind === "text" ? String(extraction.text) : JSON.stringify(extraction);
}

const pageOf = (article: string): string =>
  `<!doctype html><html lang="en"><head><title>Rights - The Site</title><style>p { color: red }</style></head><body>
  <nav><a href="/">Home</a> <a href="/about">About</a></nav><script>document.write("scripted")</script>
  <article><h1>Rights</h1><p>${sentence.repeat(10)}</p>${article}</article>
  <aside>Subscribe!</aside><footer>Imprint</footer></body></html>`;

describe("what there is to read on a page", () => {
  it("is its article, without what is around it", async () => {
    const text = await read(pageOf(""));
    expect(text).to.include(sentence.trim());
    for (const around of ["Home", "About", "scripted", "color: red", "Subscribe", "Imprint"])
      expect(text).not.to.include(around);
  });

  it("is Markdown that is read as it stands", async () => {
    const text = await read(
      pageOf(`<h2>How <em>much</em></h2><p>See <a href="https://b.example/">the <b>rules</b></a> &amp; more: 1. snake_case *</p>
      <ul><li>One<ul><li>Inner</li></ul></li><li><p>Two</p></li></ul><ol><li>First</li><li>Second</li></ol>
      <table><tr><th>Delay</th><th>Share</th></tr><tr><td>60 min</td><td>25 %</td></tr></table>
      <pre><code>let a = 1;\nlet b = 2;</code></pre><p>Call <code>run()</code>.</p>
      <img src="https://c.example/x.png" alt="A picture">`),
    );
    for (const part of [
      ...["## How much", "See the rules & more: 1. snake_case *", "- One\n  - Inner\n- Two", "1. First\n2. Second"],
      ...["Delay | Share\n60 min | 25 %", "```\nlet a = 1;\nlet b = 2;\n```", "Call `run()`."],
    ])
      expect(text).to.include(part);
    expect(text).not.to.match(/example|png|picture|\*\*|\]\(/);
  });

  it("is all of the text where nothing stands out, and nothing where there is none", async () => {
    expect(await read("<html><body><b>Short.</b></body></html>")).to.include("Short.");
    expect(await read("<html><body><script>x</script></body></html>")).to.equal("");
    expect(await read("<html></html>")).to.equal("");
  });

  it("is decoded as the server, or the page, says", async () => {
    const page = pageOf("<p>Fahrgäste, Verspätung</p>");
    expect(await read(Buffer.from(page, "latin1"), "iso-8859-1")).to.include("Fahrgäste, Verspätung");
    const said = page.replace("<title>", '<meta charset="windows-1252"><title>');
    expect(await read(Buffer.from(said, "latin1"))).to.include("Fahrgäste, Verspätung");
    expect(await read(Buffer.from(page))).to.include("Fahrgäste, Verspätung");
  });

  it("is read where single bytes are wrong, as browsers do, and where the encoding is none", async () => {
    const page = Buffer.concat([Buffer.from(pageOf("<p>Before</p>")), Buffer.from([0xc3, 0x28])]);
    expect(await read(page, "utf-8")).to.include("Before");
    expect(await read(pageOf("<p>Before</p>"), "x-nothing")).to.include("Before");
  });

  it("is the plain text of a page that is nested too deep, or is too large, to look for an article", async () => {
    const deep = `<html><body>${"<div>".repeat(400)}${sentence}${"</div>".repeat(400)}</body></html>`;
    const deepest = `<html><body>${"<div>".repeat(9_000)}${sentence}${"</div>".repeat(9_000)}</body></html>`;
    const many = `<html><body><article>${"<p>So it goes.</p>".repeat(20_001)}</article></body></html>`;
    for (const page of [deep, deepest, many]) {
      const begun = process.cpuUsage();
      expect(await read(page)).to.match(/^(Passengers|So it goes|\.\.\.)/);
      const { user } = process.cpuUsage(begun);
      expect(user).to.be.lessThan(3_000_000);
    }
  });

  it("is no other than ever for files that are no pages", async () => {
    const file = { bytes: Buffer.from("# A *note*"), mimeType: "text/markdown", charset: null, name: null };
    const article = await readFile({ ...file, form: "article" }, limits);
    expect(article).to.deep.equal(await readFile(file, limits));
  });
});
