import type { Page } from "playwright-core";
import type { Measurement } from "../measure.js";
import { inNewBrowser, untilServed, withinMs, write, type Dashboard } from "./visitor.js";

const datasource = "chains";
const most = 1_000;
const chains = 500;
const writesInFlight = 8;
const person = "many@example.org";

/** What is asked, what the picture shows first, and what each of its parts is once that is opened. */
const questions = [
  {
    path: `/access?document=${datasource}/many.md&person=${person}`,
    fan: `${chains} groups`,
    part: "group chains/chain-",
    name: `why one person sees a document, ${chains} chains`,
    all: "every group of it",
  },
  {
    path: `/access?document=${datasource}/crowd.md`,
    fan: `${chains} people`,
    part: "person crowd-",
    name: `who sees a document, ${chains} people`,
    all: "everybody in it",
  },
] as const;

type Question = (typeof questions)[number];

/**
 * The permission explorer where there is much to draw: from the answer until the picture is painted, and from the click
 * on what stands there for many until each of them is.
 */
export async function measureExplorer(dashboard: Dashboard, rounds: number): Promise<readonly Measurement[]> {
  await prepare(dashboard);
  const measured: Measurement[] = [];
  for (const question of questions) {
    const [drawn, opened]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      await inNewBrowser(
        dashboard,
        question.path,
        async (page) => {
          drawn.push(await page.evaluate<number>(`window.drawn.then((at) => at - answeredAt("/api/audit/links"))`));
          opened.push(await open(page, question));
        },
        `window.drawn = whenPainted(() => ${names(question.fan)});`,
      );
    measured.push(
      withinMs(`dashboard: ${question.name}, drawn after the answer`, most, drawn),
      withinMs(`dashboard: the same, ${question.all} drawn after the click`, most, opened),
    );
  }
  return measured;
}

const names = (fan: string): string =>
  `[...document.querySelectorAll(".picture .name")].some(({ textContent }) => textContent === "${fan}")`;

/** Milliseconds until each of those that were a number is drawn. */
const open = (page: Page, { part }: Question): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const [fan] = [...document.querySelectorAll(".picture .fan")].filter((each) => each.textContent.includes("${chains}"));
    const began = performance.now();
    fan.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const parts = () => document.querySelectorAll('.picture [data-place^="${part}"]').length;
    return (await whenPainted(() => parts() >= ${chains})) - began;
  })()`);

async function prepare(dashboard: Dashboard): Promise<void> {
  const serials = Array.from({ length: chains }, (_, serial) => serial);
  const crowd = serials.map((serial) => `crowd-${serial}@example.org`);
  const groups = serials.map((serial) => `chain-${serial}`);
  await write(dashboard, "datasources", { name: datasource });
  await all([...crowd, person], (email) => write(dashboard, "users", { datasource, user: { email } }));
  await all([...groups, "crowd"], (name) => write(dashboard, "groups", { datasource, group: { name } }));
  await all(groups, (group_name) =>
    write(dashboard, "memberships", { datasource, membership: { group_name, member_email: person } }),
  );
  const members = crowd.map((member_email) => ({ member_email }));
  await write(dashboard, `groups/${datasource}/crowd/members`, { members });
  const token = await write(dashboard, "documents", {
    documents: [document("many.md", groups), document("crowd.md", ["crowd"])],
  });
  await untilServed(dashboard, `/api/audit/who?document=${datasource}/crowd.md`, token);
}

const document = (id: string, groups: readonly string[]): object => ({
  ...{ datasource, id, title: id, file_type: "page", permissions: { allowed_groups: groups } },
  body: { mime_type: "text/plain", text_content: "Text." },
});

/** Does it to each, some at a time. */
async function all<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: writesInFlight }, next));
}
