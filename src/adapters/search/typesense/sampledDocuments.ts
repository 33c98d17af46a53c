import { LRUCache } from "lru-cache";
import { firstFrom } from "../../../search/lexicon.js";
import type { Population } from "./accessFilter.js";
import type { TypesenseConnection } from "./connection.js";
import { forEachFrequency, wordCode } from "./frequencies.js";
import type { DocumentRow } from "./schema.js";

/** How many documents one of the sample stands for. */
export const documentsPerSample = 16;
/** Marks documents of the sample in the engine. */
const sampleMark = "s";

/** The mark of a document in the sample; null: it is not in it. Its id alone decides, whatever else there is. */
export const sampleMarkOf = (id: string): string | null =>
  Number.parseInt(id.slice(0, 2), 16) % documentsPerSample === 0 ? sampleMark : null;

/** So many words of documents are kept together: they are sorted in some ten milliseconds. */
const wordsPerPage = 100_000;
/** How many are read with one request. */
const rowsPerSearch = 250;
/** After so long it is looked for documents that have come since. */
const followedMs = 30_000;
/** For how many people it is remembered which of the documents they see. */
const rememberedPeople = 100;

type SampledRow = Pick<DocumentRow, "id" | "position" | "cls" | "tf">;

/** Some documents, by the words that they hold. */
interface Page {
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  /** The code of a word and the number of a document that holds it, in one number; sorted. */
  readonly places: Float64Array;
}

/**
 * One of sixteen documents, by the words that it holds, in memory: by these is told how many documents of people who
 * see many hold a word. A document that has gone counts until the sample is read anew; words are weighed by it, and
 * nothing else is.
 */
export class SampledDocuments {
  private readonly pages: Page[] = [];
  /** The documents of the last page, which has room left. */
  private latest: SampledRow[] = [];
  private room = wordsPerPage;
  /** Which page has the present version of each. */
  private readonly pageOf = new Map<string, number>();
  private readonly seenBy = new LRUCache<string, readonly Uint8Array[]>({ max: rememberedPeople });
  /** Grows whenever something has been read. */
  private version = 0;
  private last = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** Reads the sample where it was not read yet. Rejects where the engine does not answer. */
  async open(): Promise<void> {
    if (performance.now() - this.readAt < followedMs) return;
    const isFirst = this.readAt === Number.NEGATIVE_INFINITY;
    this.reading ??= this.read().finally(() => (this.reading = null));
    if (isFirst) return this.reading;
    this.reading.catch(() => undefined);
  }

  /** How many of the sampled documents that a person can see hold any of these words. */
  count(words: readonly string[], { key, byClass }: Population): number {
    const codes = new Set(words.map(wordCode));
    const seen = this.seenFor(key, (cls) => byClass?.opens(cls) === true);
    return this.pages.reduce((sum, page, number) => sum + countIn(page, codes, seen[number] as Uint8Array), 0);
  }

  /** The documents of each page that count for a person. */
  private seenFor(key: string, opens: (cls: string) => boolean): readonly Uint8Array[] {
    const known = this.seenBy.get(`${this.version} ${key}`);
    if (known !== undefined) return known;
    const seen = this.pages.map(({ ids, classes }, number) =>
      Uint8Array.from(classes, (cls, at) => (this.pageOf.get(ids[at] as string) === number && opens(cls) ? 1 : 0)),
    );
    this.seenBy.set(`${this.version} ${key}`, seen);
    return seen;
  }

  private async read(): Promise<void> {
    for (let isLast = false; !isLast;) {
      const [answer] = await this.connection.search<SampledRow>([
        {
          ...{ collection: this.collection, q: "*", sort_by: "position:asc", per_page: rowsPerSearch },
          filter_by: `sample:${sampleMark} && position:>${this.last}`,
          include_fields: "id,position,cls,tf",
        },
      ]);
      const rows = (answer?.hits ?? []).map(({ document }) => document);
      const end = rows.at(-1)?.position ?? this.last;
      isLast = rows.length < rowsPerSearch;
      // More of the documents of one position may follow.
      const whole = isLast || rows[0]?.position === end ? rows : rows.filter(({ position }) => position < end);
      this.last = whole.at(-1)?.position ?? this.last;
      if (whole.length > 0) this.add(whole);
    }
    this.readAt = performance.now();
  }

  /** Puts documents into the last page, or begins another one where it is full. */
  private add(rows: readonly SampledRow[]): void {
    if (this.room <= 0) [this.latest, this.room] = [[], wordsPerPage];
    const isNew = this.latest.length === 0;
    const number = isNew ? this.pages.length : this.pages.length - 1;
    const renewed = new Set(rows.map(({ id }) => id));
    this.latest = [...this.latest.filter(({ id }) => !renewed.has(id)), ...rows];
    const places: number[] = [];
    this.latest.forEach(({ id, tf }, at) => {
      this.pageOf.set(id, number);
      forEachFrequency(tf, (code) => places.push(code * placesPerCode + at));
    });
    this.room = wordsPerPage - places.length;
    this.pages[number] = {
      ids: this.latest.map(({ id }) => id),
      classes: this.latest.map(({ cls }) => cls),
      places: Float64Array.from(places).sort(),
    };
    this.version += 1;
  }
}

/** More than documents of a page. */
const placesPerCode = 2 ** 13;

function countIn({ places }: Page, codes: ReadonlySet<number>, seen: Uint8Array): number {
  const counted = new Set<number>();
  for (const code of codes) {
    for (let at = firstFrom(places, code * placesPerCode); at < places.length; at += 1) {
      const place = places[at] as number;
      if (Math.floor(place / placesPerCode) !== code) break;
      const document = place % placesPerCode;
      if (seen[document] === 1) counted.add(document);
    }
  }
  return counted.size;
}
