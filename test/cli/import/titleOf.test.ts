import { expect } from "chai";
import { titleOf } from "../../../src/cli/import/toPushedDocument.js";

const markdown = (text: string): string => titleOf("guides/setup.md", "text/markdown", text);

describe("the title of a file", () => {
  it("is its first Markdown heading, without its decoration", () => {
    expect(markdown("intro\n\n## Set *up* the `thing` ##\n# Later")).to.equal("Set up the thing");
    expect(markdown("Set up\n======\n")).to.equal("Set up");
    expect(markdown("# [koa](https://koajs.com) <sup>[![Version][2]][1]</sup> ![logo](x.png)")).to.equal("koa");
    expect(markdown("# snake_case_name")).to.equal("snake_case_name");
  });

  it("is not a comment in a block of code", () => {
    expect(markdown("```sh\n# install\n```\n# Usage\n")).to.equal("Usage");
  });

  it("is the title of an HTML page", () => {
    expect(titleOf("a.html", "text/html", "<html><head><title>\n Q&amp;A &uuml;ber  uns</title>")).to.equal(
      "Q&A über uns",
    );
  });

  it("is the next better one where it says nothing", () => {
    const page = (title: string): string => `<title>${title}</title><h1 class="a">Travel &middot; <b>by train</b></h1>`;
    for (const nothing of ["", "Untitled", "Table of contents", "Inhaltsverzeichnis"])
      expect(titleOf("a.html", "text/html", page(nothing)), nothing).to.equal("Travel · by train");
    expect(titleOf("a.html", "text/html", page("Microsoft Word - Costs"))).to.equal("Costs");
    expect(titleOf("a.html", "text/html", "<title>Untitled</title><h1>")).to.equal("a.html");
    expect(markdown("## Inhaltsverzeichnis\n\n# Stra&szlig;e &middot; **Weg**&nbsp;1")).to.equal("Straße · Weg 1");
  });

  it("is the file's name where the text has none", () => {
    expect(markdown("no heading")).to.equal("setup.md");
    expect(markdown("# ![logo](x.png)\n")).to.equal("setup.md");
    expect(titleOf("a/b.txt", "text/plain", "# not Markdown")).to.equal("b.txt");
  });

  it("stays below the limit without breaking a character", () => {
    expect(markdown(`# ${"😀".repeat(1_200)}`)).to.equal("😀".repeat(500));
  });
});
