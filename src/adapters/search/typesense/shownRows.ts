import { LRUCache } from "lru-cache";
import type { TypesenseConnection } from "./connection.js";
import type { TextRow } from "./rows.js";
import { rememberedMs } from "./termStatistics.js";

/** What is read of a document that is shown. */
export type ShownRow = Omit<TextRow, "text"> & { readonly text?: string };

/** A version of a document; the position is 0 where it is not known which one it is. */
interface FoundVersion {
  readonly id: string;
  readonly position: number;
}

/** How many characters of texts and hit summaries are remembered: 32 MiB at most. */
const rememberedCharacters = 16 * 1024 * 1024;

/**
 * Reads what is shown of documents. What a version shows never changes, so that versions that were shown lately are not
 * asked for again: that takes the engine as long as it takes to find them. They are for a minute, so that texts do not
 * stay here for long once they are erased.
 */
export class ShownRows {
  private readonly remembered = new LRUCache<string, ShownRow>({
    ...{ maxSize: rememberedCharacters, ttl: rememberedMs },
    sizeCalculation: ({ text, card }, key) => key.length + (text?.length ?? 0) + (card?.length ?? 0) + 100,
  });

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** By id. A version that was replaced since it was found comes as it is now, one that has gone not at all. */
  async of(documents: readonly FoundVersion[]): Promise<ReadonlyMap<string, ShownRow>> {
    const rows = new Map<string, ShownRow>();
    const unknown: string[] = [];
    for (const { id, position } of documents) {
      const known = this.remembered.get(keyOf({ id, position }));
      if (known === undefined) unknown.push(id);
      else rows.set(id, known);
    }
    for (const row of await this.read(unknown)) {
      rows.set(row.id, row);
      this.remembered.set(keyOf(row), row);
    }
    return rows;
  }

  private async read(ids: readonly string[]): Promise<readonly ShownRow[]> {
    if (ids.length === 0) return [];
    const search = {
      ...{ collection: this.collection, q: "*", filter_by: `id:=[${ids.join(",")}]`, per_page: ids.length },
      include_fields: "id,position,pages,text,card,cls,ds,language",
    };
    const [answer] = await this.connection.search<ShownRow>([search]);
    return answer?.hits.map(({ document }) => document) ?? [];
  }
}

const keyOf = ({ id, position }: FoundVersion): string => `${id} ${position}`;
