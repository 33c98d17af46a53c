import { ask, model } from "./asking.js";
import {
  datasource,
  explain,
  groups,
  groupsOf,
  people,
  revokedMembership,
  without,
  type Group,
  type Person,
} from "./company.js";
import { companyFiles, readCompanyFiles, type CompanyDocument, type CompanyFile } from "./companyFiles.js";
import { families, readCorpus } from "./corpus.js";
import { pushCorpus, registerCompany, write } from "./indexing.js";
import { counted } from "../src/shared/texts.js";
import { bold, dim, duration, green, heading, median, red, say, sayOn } from "./presentation.js";
import { checkAccess, search, type Answer, type Hit } from "./searching.js";
import type { ServiceUnderDemo } from "./serviceUnderDemo.js";

const questions = [
  "When is better-sqlite3 not the right choice?",
  "How do I protect cookies against tampering?",
  "keep passwords out of the logs",
] as const;

const longestName = Math.max(...people.map(({ name }) => name.length));
const padded = (person: Person): string => person.name.padEnd(longestName);

/** What the story has measured on its way. */
interface Measured {
  readonly searches: number[];
  readonly checks: number[];
}

/**
 * Tells the whole story: who is who, documents in, the same questions by three people, and a membership taken away, and
 * a question answered.
 */
export async function tell(service: ServiceUnderDemo): Promise<void> {
  const measured: Measured = { searches: [], checks: [] };
  say(`The service runs at ${service.url}, its data in ${service.data ?? "a temporary folder"}.`);
  await introduceCompany(service);
  const documents = await bringDocuments(service);
  for (const question of questions) await askEverybody(service, question, documents, measured);
  await askOfFiles(service, measured);
  await revokeMembership(service, documents, measured);
  heading("Measured here");
  say(`  search        ${duration(median(measured.searches))} (median of ${measured.searches.length}, over HTTP)`);
  say(`  access check  ${duration(median(measured.checks))} (median of ${measured.checks.length}, over HTTP)`);
  await answerFromDocuments(service);
}

/** Whoever may see the file that answers is told what it says, and where. */
async function answerFromDocuments(service: ServiceUnderDemo): Promise<void> {
  const lease = companyFiles.find(({ group }) => group === "support");
  const person = people.at(-1);
  if (lease === undefined || person === undefined) return;
  heading(`Answers without a language model: ${model} quotes what ${person.name} may see`);
  say(`  “${lease.question}”`);
  sayOn("\n");
  const startedAt = performance.now();
  const sources = await ask(service, person, lease.question, sayOn);
  say(dim(`\n\n  Streamed in ${duration(performance.now() - startedAt)}, with ${counted(sources.length, "source")}:`));
  for (const [at, { title }] of sources.entries()) say(dim(`  [${at + 1}] ${title}`));
}

async function introduceCompany({ indexing }: ServiceUnderDemo): Promise<void> {
  heading("A company with groups inside groups");
  await registerCompany(indexing);
  for (const person of people) say(`  ${bold(padded(person))}  is in ${groupsOf(person).join(dim(" ⊂ "))}`);
}

async function bringDocuments(service: ServiceUnderDemo): Promise<readonly CompanyDocument[]> {
  heading("Real documents: the documentation of the installed npm packages");
  const documents = await readCorpus();
  for (const family of families) {
    const amount = documents.filter((document) => document.data_source_sub === family.key).length;
    say(
      `  ${String(amount).padStart(4)}  ${family.name.padEnd(10)} ${dim(`visible to ${family.group ?? "every registered user"}`)}`,
    );
  }
  const files = await readCompanyFiles();
  say(
    `  ${String(files.length).padStart(4)}  ${"Company".padEnd(10)} ${dim("a PDF, a Word document and a mail, each for others")}`,
  );
  const all = [...documents, ...files];
  const startedAt = performance.now();
  const lastWrite = await pushCorpus(service.indexing, all);
  const pushed = performance.now();
  await waitUntilSearchable(service, lastWrite);
  const searchable = performance.now();
  say(
    `  ${all.length} documents on disk after ${duration(pushed - startedAt)}, all searchable ${duration(searchable - pushed)} later.`,
  );
  return all;
}

/** Each file answers a question of its own, to whoever may see it. */
async function askOfFiles(service: ServiceUnderDemo, measured: Measured): Promise<void> {
  heading("Files are read, too: a PDF, a Word document, a mail with an attachment");
  for (const file of companyFiles) {
    say(`  “${file.question}”`);
    for (const person of people) {
      const { hits, milliseconds } = await search(service.as(person), file.question);
      measured.searches.push(milliseconds);
      say(`  ${bold(padded(person))}  ${answerOf(file, hits)}`);
    }
  }
}

const answerOf = ({ name }: CompanyFile, [first]: readonly Hit[]): string =>
  first?.path === `company/${name}` ? green(first.path) : dim("finds no such file");

/** A read that carries a write's consistency token waits until it has seen that write. */
async function waitUntilSearchable(service: ServiceUnderDemo, lastWrite: string): Promise<void> {
  for (const person of people) await search(service.as(person), "documentation", lastWrite);
}

async function askEverybody(
  service: ServiceUnderDemo,
  question: string,
  documents: readonly CompanyDocument[],
  measured: Measured,
): Promise<void> {
  heading(`“${question}”`);
  const answers = new Map<Person, Answer>();
  for (const person of people) answers.set(person, await search(service.as(person), question));
  for (const [person, answer] of answers) {
    measured.searches.push(answer.milliseconds);
    showAnswer(person, answer);
  }
  const best = mostRestrictedBest([...answers.values()], documents);
  if (best !== undefined) await explainAccess(service, best, groups, measured);
}

function showAnswer(person: Person, { hits, total }: Answer): void {
  const [first, ...others] = hits.map(({ path }) => path);
  say(`  ${bold(padded(person))}  ${counted(total, "hit").padEnd(8)}  ${first ?? "nothing"}`);
  for (const other of others) say(`  ${" ".repeat(longestName)}  ${" ".repeat(8)}  ${other}`);
}

/** The first hit of somebody that the fewest others got, too: the one that shows the difference. */
function mostRestrictedBest(
  answers: readonly Answer[],
  documents: readonly CompanyDocument[],
): CompanyDocument | undefined {
  const found = ({ path }: Hit): number => answers.filter(({ hits }) => hits.some((hit) => hit.path === path)).length;
  const [best] = answers.flatMap(({ hits }) => hits.slice(0, 1)).toSorted((one, other) => found(one) - found(other));
  return documents.find(({ path }) => path === best?.path);
}

async function explainAccess(
  service: ServiceUnderDemo,
  document: CompanyDocument,
  graph: readonly Group[],
  measured: Measured,
  lastWrite?: string,
): Promise<void> {
  const allowed = document.permissions.allowed_groups[0] ?? null;
  say(dim(`  Who may see ${document.path}?`));
  for (const person of people) {
    const { hasAccess, milliseconds } = await checkAccess(service.indexing, document.id, person.email, lastWrite);
    measured.checks.push(milliseconds);
    say(`  ${padded(person)}  ${hasAccess ? green("yes") : red("no ")}  ${dim(`${explain(person, allowed, graph)}.`)}`);
  }
}

async function revokeMembership(
  service: ServiceUnderDemo,
  documents: readonly CompanyDocument[],
  measured: Measured,
): Promise<void> {
  const { group, member } = revokedMembership;
  const ada = people[0];
  if (ada === undefined) return;
  heading(`${member} leaves ${group}: one membership is removed`);
  const question = questions[0];
  const before = await search(service.as(ada), question);
  const startedAt = performance.now();
  const token = await write(service.indexing, "DELETE", `memberships/${datasource}/${group}/group/${member}`);
  const after = await search(service.as(ada), question, token);
  const took = performance.now() - startedAt;
  measured.searches.push(before.milliseconds);
  say(`  “${question}”, asked by Ada`);
  say(`  before  ${counted(before.total, "hit").padEnd(8)}  ${before.hits[0]?.path ?? "nothing"}`);
  say(`  after   ${counted(after.total, "hit").padEnd(8)}  ${after.hits[0]?.path ?? "nothing"}`);
  const lost = documents.find(({ path }) => path === before.hits[0]?.path);
  if (lost !== undefined) await explainAccess(service, lost, without(groups, revokedMembership), measured, token);
  say(`  Removed and out of Ada's results ${duration(took)} after it was asked for.`);
}

/** Address, credentials, and commands to go on with. */
export function invite({ url, data, credentials }: ServiceUnderDemo): void {
  const ada = people[0];
  const key = credentials.keys.get(ada?.email ?? "") ?? "";
  const { group, member } = revokedMembership;
  heading(`The service is running at ${url}`);
  say(`  Dashboard              ${bold(url)}`);
  say(`  sign in as             ${people.map(({ email }) => email).join(", ")}; Ada may do everything`);
  say(`  with the password      ${bold(credentials.password)}`);
  say(`  Ada's personal key     ${key}`);
  say(`  Service-account token  ${credentials.token}`);
  say(`  API documentation      ${url}/docs`);
  heading("To paste into another terminal");
  say(dim("  # search as Ada"));
  say(`  curl -s -H 'Authorization: Bearer ${key}' '${url}/api/beta/search?query=sqlite&count=3'`);
  say(dim(`  # put ${member} back into ${group}, then search again: Ada finds more`));
  say(
    `  curl -s -H 'Authorization: Bearer ${credentials.token}' -H 'Content-Type: application/json' '${url}/api/indexing/memberships' -d '{"datasource":"${datasource}","membership":{"group_name":"${group}","member_group_name":"${member}"}}'`,
  );
  say(dim("  # what is registered"));
  say(`  curl -s -H 'Authorization: Bearer ${credentials.token}' '${url}/api/indexing/datasources/${datasource}'`);
  say(`\nCtrl-C ends the service${data === null ? " and removes its data" : `; its data stays in ${data}`}.`);
}
