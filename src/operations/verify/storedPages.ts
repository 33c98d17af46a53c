import type { HeldPage } from "../../../queries/ports.js";
import type { SubjectChoice } from "./expectedSubjects.js";
import type { LogShare } from "./sampling.js";

/** Page after page of what a read model holds. */
export async function* pagesOf<Item>(
  page: (after: string | null) => Promise<HeldPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  for (let after: string | null = null; ;) {
    const { items, next }: HeldPage<Item> = await page(after);
    yield items;
    if (next === null) return;
    after = next;
  }
}

/** Tells what belongs to a share, was chosen, and was never named by the log. */
export const unnamedIn =
  (share: Pick<LogShare<unknown>, "covers" | "values">, { only }: SubjectChoice) =>
  (key: string): boolean =>
    share.covers(key) && !share.values.has(key) && (only === null || only.has(key));
