import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { showsPhraseOf, type PassageSource } from "../../../analysis/snippet.js";
import type { TextRange } from "../../../analysis/nearness.js";
import { partsWith, withinParts } from "../../../shared/textParts.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import type { SettledDocuments } from "./longDocuments.js";
import type { TextRow } from "./rows.js";
import type { ShownRow } from "./shownRows.js";
import { partId } from "./textParts.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";

/** What speaks for a document: its text, or the part of a long one that its best passage is in. */
type ShownText = Pick<PassageSource, "text" | "passage">;

type PartRow = Pick<TextRow, "doc" | "part" | "position" | "text">;

/** What says which part of a text is shown. */
interface ShownPlaces {
  readonly settled: SettledDocuments;
  readonly phrases: readonly QueryPhrase[];
  readonly near: FoundByMeaning;
}

/** The engine gives no more rows to one search. */
const rowsPerSearch = 250;

/** Reads the texts of documents that are shown: short ones whole, of long ones the best passage. */
export class ShownTexts {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    private readonly where: ShownPlaces,
  ) {}

  /** The text of each of these rows, by id; of one whose parts are being replaced its beginning. */
  async of(rows: readonly ShownRow[]): Promise<ReadonlyMap<string, ShownText>> {
    const places = await this.placesIn(rows);
    const parts = await this.partsWith(rows, places);
    return new Map(
      rows.map((row) => [row.id, this.best(row, places.get(row.id) ?? [], parts) ?? { text: row.text ?? "" }]),
    );
  }

  /**
   * The places to show by document: the near passage where one was found by meaning, and the best passages of a long
   * document.
   */
  private async placesIn(rows: readonly ShownRow[]): Promise<ReadonlyMap<string, readonly TextRange[]>> {
    const { settled, near } = this.where;
    const places = new Map<string, readonly TextRange[]>();
    for (const { id, position } of rows) {
      const passage = near.passageOf(id, position);
      if (passage !== null) places.set(id, [passage]);
    }
    const long = rows
      .map(({ id, position, pages = 0 }) => ({ id, position, pages }))
      .filter(({ id, pages }) => pages > 0 && !places.has(id));
    return long.length === 0 ? places : new Map([...places, ...(await settled.placesOf(long))]);
  }

  /** Parts after the first one by their ids. */
  private async partsWith(
    rows: readonly ShownRow[],
    places: ReadonlyMap<string, readonly TextRange[]>,
  ): Promise<ReadonlyMap<string, PartRow>> {
    const ids = new Set(
      rows.flatMap(({ id }) =>
        (places.get(id) ?? []).flatMap((place) => partsOf(place).map((part) => partId(id, part))),
      ),
    );
    for (const { id } of rows) ids.delete(id);
    const searches: EngineSearch[] = [];
    const all = [...ids];
    for (let from = 0; from < all.length; from += rowsPerSearch)
      searches.push({
        collection: this.collection,
        q: "*",
        filter_by: `id:=[${all.slice(from, from + rowsPerSearch).join(",")}]`,
        include_fields: "doc,part,position,text",
        per_page: rowsPerSearch,
      });
    const answers: readonly EngineAnswer<PartRow>[] = await this.connection.search<PartRow>(searches);
    return new Map(
      answers.flatMap(({ hits }) => hits.map(({ document }) => [partId(document.doc, document.part), document])),
    );
  }

  /** The first of several passages that shows a phrase; null where no passage could be read. */
  private best(row: ShownRow, places: readonly TextRange[], parts: ReadonlyMap<string, PartRow>): ShownText | null {
    const shown = places.flatMap((place) => around(row, place, parts) ?? []);
    if (shown.length < 2) return shown[0] ?? null;
    const showsPhrase = showsPhraseOf(this.where.phrases);
    return shown.find((one) => showsPhrase({ ...one, language: row.language ?? null })) ?? shown[0] ?? null;
  }
}

function partsOf(place: TextRange): readonly number[] {
  const { first, last } = partsWith(place);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** null where a part is missing, or of another version. */
function around(
  { id, position, text }: ShownRow,
  place: TextRange,
  parts: ReadonlyMap<string, PartRow>,
): ShownText | null {
  const read = partsOf(place).map((part) => {
    if (part === 0) return text;
    const row = parts.get(partId(id, part));
    return row?.position === position ? row.text : undefined;
  });
  if (read.includes(undefined)) return null;
  const joined = read.join("");
  return { text: joined, passage: withinParts(place, partsWith(place).first, joined) };
}
