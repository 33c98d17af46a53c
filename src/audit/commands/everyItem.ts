import type { Service } from "../../cli/service.js";
import { addressOf } from "./askAudit.js";
import { pageSize } from "./printHistory.js";

/** Reads all pages of a list that is in the order of the log. */
export async function everyItem<Item>(
  service: Service,
  list: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let from: string | undefined = "0"; from !== undefined;) {
    const path = addressOf(list, { ...parameters, from, count: String(pageSize) });
    const page: { readonly items: readonly Item[]; readonly next?: string } = await service.ask({
      method: "GET",
      path,
    });
    items.push(...page.items);
    from = page.next;
  }
  return items;
}
