import type { ServiceUnderTest } from "./startService.js";

/** The company's datasource in which everybody looks things up. */
const handbook = "handbook";
const tickets = "tickets";

/** Who works there. */
export const staff = {
  ada: "ada.winter@harbour.example",
  ben: "ben.oduya@harbour.example",
  cleo: "cleo.marchetti@harbour.example",
  /** As long as names of people and their addresses come. */
  longName: "maximiliane.hohenstein-wertheim@subsidiaries.southern-harbour.example",
  /** Looks after the service. */
  root: "grace.lind@harbour.example",
} as const;

/** One document that only some may read, and one that everybody may. */
export const documents = { restricted: "handbook/on-call.md", open: "handbook/travel.md" } as const;

/** A group whose members the company has many of. */
export const largeGroup = "everyone";

const people: Readonly<Record<string, string>> = {
  [staff.ada]: "Ada Winter",
  [staff.ben]: "Ben Oduya",
  [staff.cleo]: "Cleo Marchetti",
  [staff.longName]: "Maximiliane Freifrau von Hohenstein-Wertheim zu Lichtenfels",
  [staff.root]: "Grace Lind",
};

/** Groups, with who is in each: people, or other groups. */
const groups: Readonly<Record<string, readonly string[]>> = {
  "sqlite-crew": [staff.ada],
  "web-crew": [staff.ben],
  databases: ["sqlite-crew"],
  engineering: ["databases", "web-crew"],
  support: [staff.cleo],
  "works-council-of-the-southern-subsidiaries": [staff.longName],
  [largeGroup]: ["engineering", "support", "works-council-of-the-southern-subsidiaries", staff.root],
};

const subs = [
  { name: "People", subs: [{ name: "Travel" }, { name: "Leave" }] },
  { name: "Engineering", subs: [{ name: "Operations" }] },
];
const properties = [
  { name: "owner", display_label: "Owner", is_searchable: true, property_type: "TEXT" },
  { name: "version", display_label: "Version", is_searchable: false, property_type: "INTEGER" },
];

interface Page {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly groups?: readonly string[];
  readonly more?: object;
}

const inEngineering = { data_source_sub: "engineering", data_source_sub_sub: "operations" };
const inPeople = { data_source_sub: "people", data_source_sub_sub: "travel" };

const onCall: Page = {
  id: "on-call.md",
  title: "On call: when the database does not answer",
  text: "Look at the disk first. If the database has no room, the log of yesterday may be moved. Call whoever is second on the list after ten minutes. A restore takes forty minutes, so begin with it early.",
  groups: ["databases", "support"],
  more: {
    ...inEngineering,
    author: "Ada Winter",
    custom_properties: [
      { name: "owner", value: "Ada Winter" },
      { name: "version", value: 7 },
    ],
  },
};

const pages: readonly Page[] = [
  {
    id: "travel.md",
    title: "Travel expenses",
    text: "A night in a hotel is paid up to 140 euros. Send receipts of the journey within a month; the database of receipts is open to everybody.",
    more: { ...inPeople, author: "Grace Lind", custom_properties: [{ name: "owner", value: "Grace Lind" }] },
  },
  onCall,
  {
    id: "projects-harbour-light-2024-q3-review-database-migration-of-the-southern-subsidiaries-final.md",
    title:
      "Review of the migration of all databases of the southern subsidiaries, with what went well, what did not, and Datenbankschemaversionierungsverfahren",
    text: "The database was moved in one night. What was planned for two hours took five, because nobody had counted the rows of the ledger.",
    groups: ["engineering", "works-council-of-the-southern-subsidiaries"],
    more: { ...inEngineering, author: "Maximiliane Freifrau von Hohenstein-Wertheim zu Lichtenfels" },
  },
  {
    id: "leave.md",
    title: "Days of leave",
    text: "Everyone has thirty days of leave a year. Enter them in the database of absences before you book.",
    more: { data_source_sub: "people", data_source_sub_sub: "leave" },
  },
  {
    id: "board-minutes.md",
    title: "Minutes of the board",
    text: "The board has met. The database of customers moves to another city.",
    groups: ["works-council-of-the-southern-subsidiaries"],
  },
];

/** Fills a service with a small company: people, nested groups, documents, credentials, and changes among them. */
export async function fillWithCompany({ indexing, operator }: ServiceUnderTest): Promise<void> {
  const ask = async (method: "POST" | "DELETE", path: string, body?: object): Promise<void> => {
    const client = path.startsWith("/api/admin") ? operator : indexing;
    const answer = await client.request(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  };
  const write = (resource: string, body: object): Promise<void> => ask("POST", `/api/indexing/${resource}`, body);
  const object_definitions = [{ name: "page", property_definitions: properties }];
  await write("datasources", { name: handbook, display_name: "Handbook of the company", subs, object_definitions });
  await write("datasources", { name: tickets, display_name: "Tickets" });
  for (const datasource of [handbook, tickets])
    for (const [email, name] of Object.entries(people)) await write("users", { datasource, user: { email, name } });
  for (const [name, members] of Object.entries(groups)) {
    await write("groups", { datasource: handbook, group: { name } });
    for (const member of members)
      await write("memberships", { datasource: handbook, membership: membershipOf(name, member) });
  }
  await write("documents", { documents: [...pages.map(documentOf), ...ticketsOf(14)] });
  // A history: somebody came to support, and went.
  await write("memberships", { datasource: handbook, membership: membershipOf("support", staff.ben) });
  await ask("DELETE", `/api/indexing/memberships/${handbook}/support/user/${staff.ben}`);
  await write("documents", { documents: documentOf({ ...onCall, text: `${onCall.text} Write down what you did.` }) });
  await ask("POST", "/api/admin/service-accounts", { name: "wiki-sync", datasources: [handbook] });
  await ask("POST", "/api/admin/service-accounts", {
    name: "nightly import of the southern subsidiaries",
    datasources: [handbook, tickets],
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
  await ask("POST", "/api/admin/api-keys", { email: staff.root, roles: ["auditor"] });
  await ask("POST", "/api/admin/agents", { name: "Travel desk", tools: ["internalSearch"], sources: [handbook] });
  await ask("POST", "/api/admin/accounts", { email: staff.ada, roles: ["developer", "auditor"] });
  await ask("POST", "/api/admin/accounts", { email: staff.longName, roles: [] });
}

const membershipOf = (group_name: string, member: string): object => ({
  group_name,
  ...(member.includes("@") ? { member_email: member } : { member_group_name: member }),
});

const documentOf = ({ id, title, text, groups: allowed, more }: Page): object => ({
  ...{ datasource: handbook, id, title, file_type: "markdown", last_modified: "2024-05-01T09:30:00Z" },
  path: `handbook/${id}`,
  path_preview: `https://wiki.harbour.example/${id}`,
  body: { mime_type: "text/markdown", text_content: text },
  ...(allowed !== undefined && { permissions: { allowed_groups: allowed } }),
  ...more,
});

const ticketsOf = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ datasource: tickets, id: `T-${1_000 + at}`, title: `Ticket ${1_000 + at}: the database is slow` },
    ...{ file_type: "issue", author: people[staff.cleo], last_modified: `2024-06-${10 + at}T08:00:00Z` },
    body: { mime_type: "text/plain", text_content: `A customer waits for the database since ${at} minutes.` },
  }));
