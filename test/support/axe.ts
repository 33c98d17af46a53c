import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** What keeps people from using a page who read, hear or steer it otherwise: rules that it breaks, with where. */
export async function barriersIn(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window")))
    await page.evaluate((await import("axe-core")).default.source);
  const found = await page.evaluate<readonly Violation[]>("axe.run().then(({ violations }) => violations)");
  return found.map(({ id, impact, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary ?? ""}`);
    return `${impact ?? "unknown"} ${id}: ${places.join("; ")}`;
  });
}

/** As {@link barriersIn}, in each theme: the page is there once, and changes its colours. */
export async function barriersInThemes(page: Page): Promise<readonly string[]> {
  const barriers: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const barrier of await barriersIn(page)) barriers.push(`${colorScheme}: ${barrier}`);
  }
  return barriers;
}
