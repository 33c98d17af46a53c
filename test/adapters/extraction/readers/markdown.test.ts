import { expect } from "chai";
import { readFile } from "../../../../src/adapters/extraction/readFile.js";

const limits = { maxCharacters: 1_000_000, ocrLanguages: null };

async function read(text: string, form?: "typed"): Promise<string> {
  const file = {
    bytes: Buffer.from(text),
    mimeType: "text/markdown",
    charset: null,
    name: null,
    ...(form && { form }),
  };
  const extraction = await readFile(file, limits);
  return extraction.kind === "text" ? String(extraction.text) : JSON.stringify(extraction);
}

describe("Markdown", () => {
  it("is read as people read it: marks of emphasis, targets of links and tags are gone", async () => {
    const cases: readonly (readonly [written: string, read: string])[] = [
      ["Haupt**teil** und *Neben*kosten", "Hauptteil und Nebenkosten"],
      ["_Wichtig_: ~~alt~~ neu", "Wichtig: alt neu"],
      [
        "Siehe [die **Regeln**](https://a.example/x 'T') und <https://b.example/y>.",
        "Siehe die Regeln und https://b.example/y.",
      ],
      ["![Ein Bild](x.png) daneben", "Ein Bild daneben"],
      ["Stra&szlig;e, M&uuml;ller &amp; Co\\_KG", "Straße, Müller & Co_KG"],
      ["Rufe `run_it()` und <b>fett</b>.", "Rufe run_it() und fett."],
      ["[Regel][1]\n\n[1]: https://a.example", "Regel"],
      ["Fuß[^1] und `[^a-z]`.\n\n[^1]: Notiz", "Fuß und [^a-z].\n\nNotiz"],
      ["- [x] Aufgabe\n- [ ] offen", "- Aufgabe\n- offen"],
    ];
    for (const [written, expected] of cases) expect(await read(written), written).to.equal(expected);
  });

  it("keeps headings, lists, tables and code", async () => {
    const text = await read(
      "Reisen\n===\n\n## Wie *viel*\n\n- Eins\n  - Innen\n- Zwei\n\n3. Drei\n4. Vier\n\n> Zitat **hier**\n\n| A | **B** |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = b * c * d;\n```\n\n---\n\n<table><tr><td>Zelle</td></tr></table>\n",
    );
    for (const part of [
      ...["# Reisen", "## Wie viel", "- Eins\n  - Innen\n- Zwei", "3. Drei\n4. Vier", "Zitat hier", "A\tB\n1\t2"],
      ...["\n\n    let a = b * c * d;\n\n", "Zelle"],
    ])
      expect(text).to.include(part);
    expect(text).not.to.match(/[*<>]{2}|```|---/);
  });

  it("stays as it is where nobody could take it apart", async () => {
    const deep = `${"> ".repeat(20_000)}Zitat`;
    expect(await read(deep)).to.include("Zitat");
  });

  it("is what its sender says, whatever it looks like", async () => {
    for (const text of ["%PDF-1.7 is how a *PDF* begins", "From: ada\nSubject: *Hello*\n\nText"])
      expect(await read(text, "typed")).to.equal(text.replaceAll("*", ""));
  });
});
