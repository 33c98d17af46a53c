import type { TypesenseConnection } from "./connection.js";
import type { DocumentRow, TextRow } from "./schema.js";
import { partsOf } from "../../../shared/textParts.js";

/** The engine gives no more rows to one search. */
const rowsPerSearch = 250;
/** So many parts are read at a time: four megabytes. */
const partsAtOnce = 40;

/** A version of a document, with what is known of its text. */
type TextPlace = Pick<DocumentRow, "id" | "position" | "parts" | "text">;

/** A version of a document, with what is known of the pages of its passages. */
export type Paged = Pick<DocumentRow, "id" | "position" | "pages" | "page">;

/** Reads texts and pages of passages that stand beside their documents; none of another version. */
export class StoredTexts {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** The whole text; null where another version has taken its place meanwhile. */
  async whole(document: TextPlace): Promise<string | null> {
    if (document.text !== undefined) return document.text;
    const read: string[] = [];
    for (let from = 0; from < document.parts; from += partsAtOnce) {
      const numbers = Array.from({ length: Math.min(partsAtOnce, document.parts - from) }, (_unused, at) => from + at);
      const parts = await this.parts([{ document, numbers }]);
      for (const number of numbers) {
        const part = parts.get(partId(document.id, number));
        if (part === undefined) return null;
        read.push(part);
      }
    }
    return read.join("");
  }

  /** One part; null where another version has taken its place meanwhile. */
  async part(document: TextPlace, number: number): Promise<string | null> {
    if (document.text !== undefined) return document.text;
    return (await this.parts([{ document, numbers: [number] }])).get(partId(document.id, number)) ?? null;
  }

  /** Parts of several texts, by their ids. */
  async parts(
    wanted: readonly { readonly document: TextPlace; readonly numbers: readonly number[] }[],
  ): Promise<ReadonlyMap<string, string>> {
    const positions = new Map(
      wanted.flatMap(({ document: { id, position }, numbers }) =>
        numbers.map((number) => [partId(id, number), position] as const),
      ),
    );
    const rows = await this.rows<"text">([...positions.keys()], "text");
    return new Map(
      rows.flatMap(({ id, position, text }) =>
        text !== undefined && positions.get(id) === position ? [[id, text] as const] : [],
      ),
    );
  }

  /** The pages of these documents' passages, in their order; of a document that was replaced there are none. */
  async pages(wanted: readonly Paged[]): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
    const found = new Map<string, readonly Uint8Array[]>();
    for (const { id, page } of wanted) if (page !== undefined) found.set(id, [Buffer.from(page, "base64")]);
    const others = wanted.filter(({ page }) => page === undefined);
    const idsOf = ({ id, pages }: Paged): readonly string[] =>
      Array.from({ length: pages }, (_unused, number) => pageId(id, number));
    const rows = new Map((await this.rows<"page">(others.flatMap(idsOf), "page")).map((row) => [row.id, row]));
    for (const document of others) {
      const own = idsOf(document).map((id) => rows.get(id));
      if (own.every((row) => row?.position === document.position))
        found.set(
          document.id,
          own.map((row) => Buffer.from(row?.page ?? "", "base64")),
        );
    }
    return found;
  }

  private async rows<Field extends "text" | "page">(
    ids: readonly string[],
    field: Field,
  ): Promise<readonly Pick<TextRow, "id" | "position" | Field>[]> {
    const searches = [];
    for (let from = 0; from < ids.length; from += rowsPerSearch)
      searches.push({
        ...{ collection: this.collection, q: "*", per_page: rowsPerSearch },
        filter_by: `id:=[${ids.slice(from, from + rowsPerSearch).join(",")}]`,
        include_fields: `id,position,${field}`,
      });
    const answers = await this.connection.search<Pick<TextRow, "id" | "position" | Field>>(searches);
    return answers.flatMap(({ hits }) => hits.map(({ document }) => document));
  }
}

/** The parts of a text, at least one: an empty text has an empty part. */
export const storedPartsOf = (text: string): readonly string[] => (text === "" ? [""] : partsOf(text));

/** The id of a part of a document's text. */
export const partId = (id: string, part: number): string => `${id}p${part}`;

/** The id of a page of a document's passages. */
export const pageId = (id: string, number: number): string => `${id}m${number}`;
