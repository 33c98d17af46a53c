import { expect } from "chai";
import { readReason, readText } from "../../../support/files/readings.js";

const head =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}}";
const read = async (body: string): Promise<string> =>
  (await readText(Buffer.from(`${head}${body}}`, "latin1"))).text.trim();

describe("rich text", () => {
  it("is read with its escapes, in the code page of each font", async () => {
    expect(await read("Gr\\'f6\\'dfe \\{a\\}\\\\\\~b\\par next\\line line\\\nlast")).to.equal(
      "Größe {a}\\\u00a0b\nnext\nline\nlast",
    );
    expect(await read("{\\f1 \\'cc\\'ee\\'f1\\'ea\\'e2\\'e0} {\\f2 \\'93\\'fa\\'96{}\\'7b} end")).to.match(
      /^Москва 日/,
    );
    expect(await read("{\\f2\\'93\\'fa\\'96\\'7b} {\\uc1\\u8364?5 \\u-3913 ?}{\\uc2\\u960ab c}")).to.equal(
      "日本 €5 \uf0b7π c",
    );
    expect(await read("\\ldblquote a\\rdblquote\\endash\\emdash b\\tab c\\-d\\_e")).to.equal("“a”–—b\tcd-e");
  });

  it("is read without what is no text: fonts, styles, pictures, field codes, hidden and deleted text", async () => {
    const silent = [
      "{\\colortbl;\\red0;}{\\stylesheet{\\s0 Normal;}}{\\*\\generator Word;}{\\info{\\doccomm no}}",
      "{\\pict\\wmetafile8 0102ff}{\\*\\shppict{\\pict\\pngblip 89504e}}{\\pict\\bin5 }}{{{}",
      '{\\field{\\*\\fldinst HYPERLINK "http://no"}{\\fldrslt link}}{\\v hidden}{\\deleted gone}{\\xe\\v index}',
      "{\\listtext 1.\\tab}{\\*\\bkmkstart a}{\\*\\unknown{\\nested no}}",
    ];
    expect(await read(silent.join(""))).to.equal("link");
  });

  it("is read with notes and comments after their paragraph, and headers at the end", async () => {
    const body =
      "{\\header Head\\par}{\\headerf Head}one{\\footnote {\\super 1} Note\\par} two{\\*\\annotation Remark} three\\par next\\cell cell\\row";
    expect(await read(body)).to.equal("one two three\n1 Note\nRemark\nnext\tcell\nHead");
    expect(await read("{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv 1}}{\\shptxt Boxed}}{\\shprslt Boxed}}x")).to.equal(
      "x\nBoxed",
    );
    expect(await read("{\\upr{no}{\\*\\ud{\\u8364 ?}}}")).to.equal("€");
  });

  it("tells title, author and times", async () => {
    const info = "{\\info{\\title Der Pl\\'e4n}{\\author Ada}{\\creatim\\yr2024\\mo5\\dy1\\hr9\\min30}{\\revtim\\yr0}}";
    const { facts } = await readText(`${head}${info.replace("\\'e4", "\\'61")}text}`);
    expect(facts).to.deep.equal({
      mimeType: "application/rtf",
      title: "Der Plan",
      author: "Ada",
      createdAt: "2024-05-01T09:30:00.000Z",
    });
  });

  it("bears what breaks off, what claims more than there is, and groups without end", async () => {
    expect(await read("a\\bin2000000000 b")).to.equal("a");
    expect(await read("a}}}}b\\'4")).to.equal("ab4");
    expect(await readReason(head + "{".repeat(20_000))).to.match(/nested too deep/);
    const picture = `{\\pict ${"0123456789abcdef\n".repeat(300_000)}}`;
    expect(await read(`${picture}end`)).to.equal("end");
  });
});
