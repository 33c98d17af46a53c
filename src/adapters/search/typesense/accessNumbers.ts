import { LRUCache } from "lru-cache";
import { entriesAtMost } from "../../../shared/entriesAtMost.js";
import type { PrincipalToken } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { type TypesenseConnection, TypesenseFailure } from "./connection.js";
import { classKey, tokenKey } from "./encoding.js";
import type { NumberedState, StateRow } from "./schema.js";

/** How many numbers are remembered. */
const rememberedNumbers = 100_000;
/** How many keys one search asks for. */
const keysPerSearch = 250;
const alreadyThere = 409;

/** Passed by the rows that give numbers. */
export const numbered = "kind:=[class,principal]";

/** Who may see a document of a datasource. */
interface DocumentAccess {
  readonly datasource: string;
  /** Distinct and sorted. */
  readonly tokens: readonly PrincipalToken[];
}

/** What a document carries of it. */
export interface CarriedAccess {
  readonly accessClass: string;
  readonly principals: readonly number[];
}

/** What gets a number: a distinct token set of a datasource, or one of its principals. */
type Numbered = DocumentAccess & { readonly kind: "class" | "principal" };

/** The number of a class as documents carry it. */
export const classNumber = (number: number): string => number.toString(36);

/**
 * Numbers access classes, and the principals that documents name: the engine looks numbers up twice as fast as texts.
 * A number is taken by creating its row, which the engine does only once. So two writers can never give one number to
 * two sets, whatever went wrong between them. Two numbers for one set are possible and do no harm.
 */
export class AccessNumbers {
  private readonly known = new LRUCache<string, number>(entriesAtMost(rememberedNumbers));
  private nextNumber: number | null = null;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** What these documents carry, in their order, and whether rows were written that readers do not know of yet. */
  async carriedBy(
    documents: readonly DocumentAccess[],
    position: Position,
  ): Promise<{ readonly carried: readonly CarriedAccess[]; readonly hasNew: boolean }> {
    const classes = documents.map((access): Numbered => ({ kind: "class", ...access }));
    const principals = new Map<PrincipalToken, Numbered>();
    for (const { datasource, tokens } of documents)
      for (const token of tokens) principals.set(token, { kind: "principal", datasource, tokens: [token] });
    const { numbers, hasNew } = await this.of([...classes, ...principals.values()], position);
    const ofPrincipal = new Map(Array.from(principals.keys(), (token, at) => [token, numbers[classes.length + at]]));
    const carried = documents.map(({ tokens }, at) => ({
      accessClass: classNumber(numbers[at] as number),
      principals: tokens.map((token) => ofPrincipal.get(token) as number),
    }));
    return { carried, hasNew };
  }

  private async of(
    sets: readonly Numbered[],
    position: Position,
  ): Promise<{ readonly numbers: readonly number[]; readonly hasNew: boolean }> {
    const keys = sets.map(keyOf);
    const unknown = new Map(
      keys.flatMap((key, index) => (this.known.has(key) ? [] : [[key, sets[index] as Numbered] as const])),
    );
    const found = new Map<string, number>();
    for (const key of keys) {
      const number = this.known.get(key);
      if (number !== undefined) found.set(key, number);
    }
    for (const [key, number] of await this.lookUp([...unknown.keys()])) {
      found.set(key, number);
      unknown.delete(key);
    }
    for (const [key, number] of await this.take(unknown, position)) found.set(key, number);
    // Also true where rows were found: a writer that failed may have left them behind without telling readers.
    const hasNew = keys.some((key) => !this.known.has(key));
    for (const [key, number] of found) this.known.set(key, number);
    return { numbers: keys.map((key) => found.get(key) as number), hasNew };
  }

  /**
   * Removes the classes and principals of a datasource of which no document is left. The highest number stays, so that
   * none is given again.
   */
  async removeOf(datasource: string): Promise<void> {
    await this.connection.remove(this.collection, `${numbered} && ds:=${datasource} && n:<${await this.highest()}`);
    this.forget();
  }

  /** What is remembered may be wrong: another writer has been at work, or rows were removed. */
  forget(): void {
    this.known.clear();
    this.nextNumber = null;
  }

  private async lookUp(keys: readonly string[]): Promise<readonly (readonly [string, number])[]> {
    const found: (readonly [string, number])[] = [];
    for (let from = 0; from < keys.length; from += keysPerSearch) {
      const filter = `${numbered} && key:=[${keys.slice(from, from + keysPerSearch).join(",")}]`;
      const [answer] = await this.connection.search<StateRow>([
        { collection: this.collection, q: "*", filter_by: filter, include_fields: "key,n", per_page: keysPerSearch },
      ]);
      for (const { document } of answer?.hits ?? []) found.push([document.key ?? "", document.n]);
    }
    return found;
  }

  /** Creates rows with the next numbers. Where another writer took one of them first, that set is tried again. */
  private async take(
    sets: ReadonlyMap<string, Numbered>,
    position: Position,
  ): Promise<readonly (readonly [string, number])[]> {
    const taken: (readonly [string, number])[] = [];
    let left = [...sets];
    while (left.length > 0) {
      const first = this.nextNumber ?? (await this.highest()) + 1;
      const rows = left.map(([key, { kind, datasource, tokens }], index): StateRow => {
        const state: NumberedState = { ds: datasource, tokens: tokens.join(" ") };
        return {
          id: `c${(first + index).toString(36)}`,
          kind,
          key,
          ds: datasource,
          v: Number(position),
          n: first + index,
          json: JSON.stringify(state),
        };
      });
      const outcomes = await this.connection.import(this.collection, rows, "create");
      const refused = outcomes.find(({ success, code }) => !success && code !== alreadyThere);
      if (refused !== undefined)
        throw new TypesenseFailure(
          "Typesense did not take the number of an access class or principal.",
          refused.code ?? null,
        );
      outcomes.forEach(({ success }, index) => success && taken.push([rows[index]?.key as string, first + index]));
      this.nextNumber = outcomes.every(({ success }) => success) ? first + rows.length : null;
      left = left.filter((_set, index) => outcomes[index]?.success !== true);
    }
    return taken;
  }

  private async highest(): Promise<number> {
    const [answer] = await this.connection.search<StateRow>([
      {
        collection: this.collection,
        q: "*",
        filter_by: numbered,
        sort_by: "n:desc",
        include_fields: "n",
        per_page: 1,
      },
    ]);
    return answer?.hits[0]?.document.n ?? 0;
  }
}

/** One to one: keys of principals are shorter than those of classes. */
const keyOf = ({ kind, datasource, tokens }: Numbered): string =>
  kind === "principal" ? tokens.map(tokenKey).join("") : classKey(datasource, tokens);
