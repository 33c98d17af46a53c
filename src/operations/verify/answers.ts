import { hash } from "node:crypto";
import type { DatasourceId, PrincipalToken } from "../../shared/ids.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../readModels/credentials.js";
import { ReadModelIncomplete } from "../../shared/failures.js";
import type { ComparedReaders } from "./ports.js";
import type { ExpectedHolding, ExpectedSubject } from "./expectedSubjects.js";

/** What is said of a subject: single facts as texts, and principals as a set. */
interface Answer {
  readonly facts: ReadonlyMap<string, string>;
  readonly principals: ReadonlySet<PrincipalToken>;
}

/** How many decisions are asked for per person: the tokens say the rest. */
const decisionsPerPerson = 20;
const noFacts: ReadonlyMap<string, string> = new Map();
const noPrincipals: ReadonlySet<PrincipalToken> = new Set();
const secrets: ReadonlySet<string> = new Set(["secretSha256", "previousSecret"]);

const factsOf = (fields: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(fields).map(([name, value]) => [
      name,
      secrets.has(name) ? hash("sha256", JSON.stringify(value, inOrder)) : JSON.stringify(value, inOrder),
    ]),
  );

/** Engines may keep the members of an object in an order of their own. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** What the log says. `closed` are the datasources of which nobody is answered now. */
export function answerOfLog(subject: ExpectedSubject, closed: ReadonlySet<DatasourceId>): Answer | null {
  if (subject.kind === "person") {
    const open = openHoldings(subject.expected, closed);
    const decisions = decisionsOf(open).map(({ token }) => [`decision on ${token}`, "granted"] as const);
    return { facts: new Map(decisions), principals: new Set(open.flatMap(({ tokens }) => tokens)) };
  }
  if (subject.expected === null) return null;
  if (subject.kind === "credential") return ofRecord(unlessOver(subject, subject.expected));
  if (subject.kind === "group") return { facts: noFacts, principals: new Set(subject.expected) };
  if (subject.kind !== "document") return { facts: factsOf(subject.expected), principals: noPrincipals };
  const { details, text, tokens } = subject.expected;
  return { facts: factsOf({ ...details, text }), principals: new Set(tokens) };
}

/** What the readers say. */
export async function answerOfReaders(
  subject: ExpectedSubject,
  { search, access, catalogue, credentials }: ComparedReaders,
  closed: ReadonlySet<DatasourceId>,
): Promise<Answer | null> {
  if (subject.kind === "person") return access === undefined ? null : holdingsIn(access, subject, closed);
  if (subject.kind === "group") return { facts: noFacts, principals: new Set(subject.held.tokens) };
  if (subject.kind === "document")
    return search === undefined ? null : documentIn(search, subject).catch(nullWhereIncomplete);
  if (subject.kind === "datasource") return ofRecord((await catalogue?.find(subject.name)) ?? null);
  return credentials === undefined ? null : ofRecord(unlessOver(subject, await credentialIn(credentials, subject)));
}

const ofRecord = (record: object | null): Answer | null =>
  record === null ? null : { facts: factsOf(record), principals: noPrincipals };

function credentialIn(
  credentials: NonNullable<ComparedReaders["credentials"]>,
  subject: Of<"credential">,
): Promise<CredentialRecord | AccountRecord | SessionRecord | null> {
  if (subject.of === "key") return credentials.find(subject.id);
  return subject.of === "account" ? credentials.findAccount(subject.id) : credentials.findSession(subject.id);
}

/** The record; null of a session that is over. */
function unlessOver(subject: Of<"credential">, record: object | null): object | null {
  if (subject.of !== "session" || record === null) return record;
  const { endedAt, expiresAt } = record as SessionRecord;
  return endedAt === null && expiresAt > subject.overBy ? record : null;
}

type Of<Kind extends ExpectedSubject["kind"]> = Extract<ExpectedSubject, { readonly kind: Kind }>;

async function documentIn(
  search: NonNullable<ComparedReaders["search"]>,
  { datasource, documentId }: Of<"document">,
): Promise<Answer | null> {
  const stored = await search.find(datasource, documentId);
  const searched = await search.searchedBy?.(datasource, documentId, stored?.tokens ?? []);
  if (stored === null)
    return searched === undefined || searched === "nothing"
      ? null
      : { facts: new Map([["found in searches", "by others"]]), principals: noPrincipals };
  const text = await search.text(datasource, documentId);
  const facts = { ...stored.details, text: text === null ? null : hash("sha256", text) };
  // If searches agree with what is found by its id, there is nothing to say about them.
  const searchFacts =
    searched === undefined || searched === "these"
      ? []
      : [["found in searches", searched === "others" ? "by others" : "by nobody"] as const];
  return { facts: new Map([...factsOf(facts), ...searchFacts]), principals: new Set(stored.tokens) };
}

/** What lacks a part of a document does not serve it. An engine that was too slow has said nothing about it. */
function nullWhereIncomplete(error: unknown): null {
  if (error instanceof ReadModelIncomplete) return null;
  throw error;
}

async function holdingsIn(
  access: NonNullable<ComparedReaders["access"]>,
  { email, expected }: Of<"person">,
  closed: ReadonlySet<DatasourceId>,
): Promise<Answer> {
  const closedTokens = new Set(
    expected.filter(({ datasourceId }) => closed.has(datasourceId)).flatMap(({ tokens }) => tokens),
  );
  const { tokens } = await access.heldTokens(email);
  const facts = new Map<string, string>();
  for (const { datasourceId, token } of decisionsOf(openHoldings(expected, closed))) {
    facts.set(`decision on ${token}`, (await access.holdsAny(datasourceId, email, [token])) ? "granted" : "refused");
  }
  return { facts, principals: new Set(tokens.filter((token) => !closedTokens.has(token))) };
}

const openHoldings = (
  holdings: readonly ExpectedHolding[],
  closed: ReadonlySet<DatasourceId>,
): readonly ExpectedHolding[] => holdings.filter(({ datasourceId }) => !closed.has(datasourceId));

const decisionsOf = (
  holdings: readonly ExpectedHolding[],
): readonly { readonly datasourceId: DatasourceId; readonly token: PrincipalToken }[] =>
  holdings
    .flatMap(({ datasourceId, tokens }) => tokens.map((token) => ({ datasourceId, token })))
    .slice(0, decisionsPerPerson);

/** One thing that two answers do not agree on. */
export type Difference =
  /** Texts are told by their SHA-256; null: there is none. */
  | { readonly aspect: string; readonly expected: string | null; readonly served: string | null }
  /**
   * For a document's access list, or for what a person holds: what should be served and is not, and what is served and
   * should not be.
   */
  | { readonly aspect: "principals"; readonly missing: readonly string[]; readonly extra: readonly string[] };

/** Something that is served otherwise than it should be. */
export interface Drift {
  readonly subject: ExpectedSubject;
  readonly differences: readonly Difference[];
}

/** What the two disagree on; empty where they agree. */
export function differencesBetween(expected: Answer | null, served: Answer | null): readonly Difference[] {
  if (expected === null && served === null) return [];
  if (expected === null) return [{ aspect: "presence", expected: "absent", served: "present" }];
  if (served === null) return [{ aspect: "presence", expected: "present", served: "absent" }];
  const aspects = [...new Set([...expected.facts.keys(), ...served.facts.keys()])];
  const facts = aspects.flatMap((aspect): readonly Difference[] => {
    const [should, does] = [expected.facts.get(aspect) ?? null, served.facts.get(aspect) ?? null];
    return should === does ? [] : [{ aspect, expected: should, served: does }];
  });
  const missing = without(expected.principals, served.principals);
  const extra = without(served.principals, expected.principals);
  return missing.length + extra.length === 0 ? facts : [...facts, { aspect: "principals", missing, extra }];
}

const without = (set: ReadonlySet<PrincipalToken>, other: ReadonlySet<PrincipalToken>): readonly PrincipalToken[] =>
  [...set].filter((token) => !other.has(token)).sort();
