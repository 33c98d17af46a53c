import type { TypesenseConnection } from "./connection.js";
import type { TextRow } from "./rows.js";

const partsPerPage = 40;

/** The whole text whose first part this is; null where another version has taken its place meanwhile. */
export async function wholeText(
  connection: TypesenseConnection,
  collection: string,
  { id, position, text, parts = 1 }: TextRow,
): Promise<string | null> {
  const further: string[] = [];
  for (let page = 1; further.length < parts - 1; page += 1) {
    const filter = `doc:=${id} && position:=${position} && part:>0`;
    const [answer] = await connection.search<TextRow>([
      {
        collection,
        q: "*",
        filter_by: filter,
        sort_by: "part:asc",
        include_fields: "text",
        per_page: partsPerPage,
        page,
      },
    ]);
    if (answer === undefined || answer.found !== parts - 1 || answer.hits.length === 0) return null;
    further.push(...answer.hits.map(({ document }) => document.text));
  }
  return text + further.join("");
}

/** One part after the first; null where another version has taken its place meanwhile. */
export async function furtherPart(
  connection: TypesenseConnection,
  collection: string,
  { id, position }: TextRow,
  part: number,
): Promise<string | null> {
  const filter = `doc:=${id} && position:=${position} && part:=${part}`;
  const [answer] = await connection.search<TextRow>([
    { collection, q: "*", filter_by: filter, include_fields: "text", per_page: 1 },
  ]);
  return answer?.hits[0]?.document.text ?? null;
}
