import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeEntities } from "../src/shared/entities.js";
import { seededRandom, type CorpusDocument } from "./corpus.js";

/** How many words a document has, and how few are none. */
const [fewest, least, most] = [60, 120, 280];
const longestTitle = 250;
/** One package gives no more documents than that: its words would be those of all. */
const mostOfFolder = 30_000;

/**
 * Documents of real words: the texts below a folder (HTML, plain text, also packed), cut into pieces of some 200 words,
 * without repetitions, in an order that the seed decides. Debian's documentation packages hold enough for 100,000.
 */
export function realDocuments(folder: string, count: number, seed = 5): readonly CorpusDocument[] {
  const random = seededRandom(seed);
  const seen = new Set<string>();
  const documents: Omit<CorpusDocument, "id">[] = [];
  const perFolder = new Map<string, number>();
  for (const path of filesBelow(folder)) {
    const group = path.slice(0, path.indexOf("/", folder.length + 20));
    for (const document of piecesOf(path, random, seen)) {
      const known = perFolder.get(group) ?? 0;
      if (known >= mostOfFolder) break;
      perFolder.set(group, known + 1);
      documents.push(document);
    }
  }
  for (let at = documents.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [documents[at], documents[other]] = [documents[other] as CorpusDocument, documents[at] as CorpusDocument];
  }
  return documents.slice(0, count).map((document, at) => ({ id: `d${at}`, ...document }));
}

/** Words that follow each other in some document, as people type them. */
export function questionsFrom(documents: readonly CorpusDocument[], count: number, seed: number): readonly string[] {
  const random = seededRandom(seed);
  const questions = new Set<string>();
  while (questions.size < count) {
    const { text } = documents[Math.floor(random() * documents.length)] as CorpusDocument;
    const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3);
    const length = 1 + Math.floor(random() * 6);
    const from = Math.floor(random() * Math.max(1, words.length - length));
    const question = words.slice(from, from + length).join(" ");
    if (question !== "") questions.add(random() < 0.5 ? question : `${question}?`);
  }
  return [...questions];
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && /\.(?:html?|page|txt|gz)$/.test(entry.name)) yield path;
  }
}

function* piecesOf(path: string, random: () => number, seen: Set<string>): Generator<Omit<CorpusDocument, "id">> {
  const bytes = readFileSync(path);
  const raw = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const isMarkup = /^\s*</.test(raw);
  const title =
    decodeEntities(/<title[^>]*>([^<]*)/i.exec(raw)?.[1] ?? "").trim() || path.slice(path.lastIndexOf("/") + 1);
  const words = (isMarkup ? decodeEntities(raw.replace(/<[^>]*>/g, " ")) : raw).split(/\s+/);
  for (let from = 0, part = 0; from < words.length; part += 1) {
    const piece = words.slice(from, (from += least + Math.floor(random() * (most - least))));
    const key = piece.slice(20, fewest).join(" ");
    if (piece.length < fewest || seen.has(key)) continue;
    seen.add(key);
    const beginning = part === 0 ? title : `${title}: ${piece.slice(0, 5).join(" ")}`;
    yield { title: beginning.slice(0, longestTitle), text: piece.join(" ") };
  }
}
