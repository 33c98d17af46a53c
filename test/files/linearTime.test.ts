import { expect } from "chai";
import { detectType } from "../../src/adapters/extraction/detect/detectType.js";
import { readFile } from "../../src/adapters/extraction/readFile.js";
import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { analyseQuery } from "../../src/analysis/analyseQuery.js";
import { headingsOf } from "../../src/analysis/headings.js";
import { passagesOf } from "../../src/analysis/passages.js";
import { partsOf } from "../../src/analysis/queryParts.js";
import { snippetsAbout } from "../../src/analysis/snippet.js";
import { SpokenText } from "../../src/adapters/models/thoughts.js";
import { inLine, quoted } from "../../src/chat/extractive/quotations.js";
import { sectionsOf } from "../../src/chat/extractive/summary.js";
import { titleOf } from "../../src/cli/import/toPushedDocument.js";
import { parseInstant } from "../../src/shared/instant.js";
import { isAddress, toEmail } from "../../src/shared/ids.js";
import { propertyRuns } from "../support/propertyRuns.js";
import fc from "fast-check";

const asFile = (mimeType: string, form?: "article") => (text: string) =>
  readFile(
    { bytes: Buffer.from(text), mimeType, charset: null, name: null, ...(form === undefined ? {} : { form }) },
    { maxCharacters: 2_000_000, ocrLanguages: null },
  );

/** What reads texts of strangers, and what each nearly takes for the beginning of something. */
const readers: readonly (readonly [name: string, read: (text: string) => unknown, nearMisses: readonly string[]])[] = [
  [
    "what a file is",
    (text) => detectType({ bytes: Buffer.from(text), mimeType: null, name: null }, { unpacked: () => undefined }),
    ["Key: value\r\n", "From: a\n b\n", "<!--", "<!---", "<?xml ", " ", "<!doctype svg "],
  ],
  [
    "the terms of a document",
    (text) => analyseDocument({ title: "", texts: [text] }),
    ["a-b.", "AB12 ", "1.000,", "#"],
  ],
  ["the headings of a text", (text) => [...headingsOf(text)], ["# ", "# #", "<h1 ", "```\n", "===\n", "\n\n\nWord\n"]],
  ["the passages of a text", passagesOf, ["a", "a. ", "\n", "# a\n", "…"]],
  [
    "the snippet of a text",
    (text) =>
      snippetsAbout([
        { terms: ["word"], weight: 1 },
        { terms: ["a"], weight: 1 },
      ])({ text, language: "en" }),
    ["word", "word a ", "a. ", "<", "&"],
  ],
  ["the words of a query", analyseQuery, ['"', "-", "a-", '-"a', "AB12 3456 ", "C++"]],
  ["the parts of a query", partsOf, ['"', "-x ", 'a"', "-"]],
  [
    "HTML",
    asFile("text/html"),
    ["<p>", "<meta charset", "<meta name=", "<title", "<html lang", "&amp", "<!--", "<a href="],
  ],
  ["Markdown", asFile("text/markdown"), ["# ", "[a](", "![", "> ", "```\n", "|"]],
  ["an article", asFile("text/html", "article"), ["<p> \t", "<li>", "<td>", "<ol><li>", " \t"]],
  ["RTF", asFile("application/rtf"), ["{\\rtf", "{\\*\\", "\\u1 ", "\\'"]],
  ["XML", asFile("application/xml"), ["<?xml ", "<a>", "<![CDATA[", "&#"]],
  ["JSON", asFile("application/json"), ['{"a":', "[", '"\\', "1e"]],
  ["a table", asFile("text/csv"), ['"', '",', ";\t", "\r"]],
  ["a mail", asFile("message/rfc822"), ["Key: value\r\n", "=?utf-8?q?", "--b\r\n", "A: \n b\n"]],
  [
    "the title of an imported file",
    (text) => titleOf("a.md", "text/markdown", text),
    ["# ", "# [", "# ![a](", "# <", "```\n"],
  ],
  ["a quotation", (text) => quoted(text) + inLine(text), ["`", "> ", "1. ", "a.b"]],
  [
    "the sections of a text",
    sectionsOf,
    ["Word\n\n", "Word\nAnd a much longer line\n\n", "# a\n", "- a\n", "a. ", "\n"],
  ],
  ["what a model says aloud", (text) => new SpokenText().add(text), ["<think>", "`<think>", "</think>", "<thin", "<"]],
  ["an instant", parseInstant, ["2024-01-01T00:00:00.0", "0", "T"]],
  ["an address", (text) => isAddress(toEmail(text)), ["@", "a@", "@ ", "a"]],
];

const [little, more, much] = [4_096, 16_384, 1_048_576];
/** Three times what the slowest of them takes on a machine that does nothing else: four kilobytes of `|.*C`. */
const mostMs = 100;
/** Eight times what is proportional, for what memory costs; what is quadratic takes eight times that. */
const mostGrowth = 8 * (much / more);

const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/**
 * Milliseconds of processor time, the least of some tries, as soon as it is little enough: others on the machine, what
 * compiles and what collects garbage do not count.
 */
async function costOf(read: (text: string) => unknown, text: string, enough: number, mostTries = 20): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && least > enough; tries++) {
    const before = process.cpuUsage();
    await read(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Of a text that is nothing but `unit`, after something and before something. */
async function expectLinear(read: (text: string) => unknown, unit: string, before = "", after = ""): Promise<void> {
  const of = (length: number): string => before + repeated(unit, length) + after;
  expect(await costOf(read, of(little), mostMs), "a short text").to.be.at.most(mostMs);
  const expected = Math.max(await costOf(read, of(more), 1, 4), 1);
  const most = expected * mostGrowth;
  expect(await costOf(read, of(much), most), `a long one; ${expected} ms for a part of it`).to.be.at.most(most);
}

describe("texts made to be read slowly", () => {
  for (const [name, read, nearMisses] of readers)
    it(`take linear time: ${name}`, async () => {
      // What is compiled at the first use is no cost of a text.
      for (const unit of nearMisses) await read(repeated(unit, more));
      for (const unit of nearMisses) await expectLinear(read, unit);
      const piece = fc.oneof(fc.constantFrom(...nearMisses, "\n", " ", "\r\n", "a"), fc.string({ maxLength: 3 }));
      const unitOf = fc.tuple(fc.constantFrom(...nearMisses), piece).map((pieces) => pieces.join(""));
      await fc.assert(
        fc.asyncProperty(unitOf, piece, piece, (unit, before, after) => expectLinear(read, unit, before, after)),
        { ...propertyRuns(2), endOnFailure: true },
      );
    });
});
