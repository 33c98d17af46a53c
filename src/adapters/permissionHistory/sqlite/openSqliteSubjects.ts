import type {
  DatasourceCounts,
  FoundSubject,
  SubjectKind,
  Subjects,
  SubjectSearch,
} from "../../../audit/ports/permissionHistory.js";
import type { DatasourceName } from "../../../shared/ids.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { permissionHistoryFile } from "./permissionHistorySchema.js";

/** How many rows are looked at between two looks at the clock. */
const stretch = 20_000;

/** Subjects that are not found by then are left out: a person who types on asks again. */
const longestMs = 150;

/** Enough to choose the best from. */
const candidatesPerAsked = 8;

type Row = readonly [datasource: DatasourceName, name: string, label: string | null, present: number];

interface Source {
  readonly newest: () => number;
  /** The subjects numbered after `from`, up to `to`, whose names fit the patterns. */
  readonly rows: (range: Patterns & { readonly from: number; readonly to: number }) => IterableIterator<Row>;
}

/** Two parts of a name at most: where rows are looked at one by one, there are few. */
interface Patterns {
  readonly pattern: string;
  readonly other: string;
}

/**
 * Opens the permission history for names that are typed in part; reads in this thread. It passes over rows instead of
 * keeping an index of parts of names, which every event that is projected would pay for.
 */
export function openSqliteSubjects({ file }: { readonly file: string }): Subjects & { close(): void } {
  const database = openForReading(permissionHistoryFile(file));
  const sources = sourcesOf(database);
  const counts = database.prepare<[], DatasourceCounts>(
    `SELECT g.name AS datasource,
       (SELECT count(*) FROM registrations r WHERE r.incarnation = g.id AND r.closed IS NULL) AS users,
       (SELECT count(*) FROM groups o JOIN group_names n ON n.grp = o.id AND n.closed IS NULL
        WHERE o.incarnation = g.id) AS groups,
       (SELECT count(*) FROM documents d JOIN existences e ON e.document = d.id AND e.closed IS NULL
        WHERE d.incarnation = g.id) AS documents
     FROM incarnations g WHERE g.opened IS NOT NULL AND g.closed IS NULL ORDER BY g.name`,
  );
  return {
    find: (search) => best(search, sources),
    counts: () => counts.all(),
    close: () => void database.close(),
  };
}

function sourcesOf(database: SqliteDatabase): Readonly<Record<SubjectKind, Source>> {
  const source = (table: string, sql: string): Source => {
    const newest = database.prepare<[], number | null>(`SELECT max(id) FROM ${table}`).pluck();
    const rows = database.prepare<unknown[], Row>(sql).raw();
    return { newest: () => newest.get() ?? 0, rows: (range) => rows.iterate(range) };
  };
  const named = (name: string, label: string): string =>
    ["@pattern", "@other"]
      .map((pattern) => `(${name} || ' ' || ifnull(${label}, '')) LIKE ${pattern} ESCAPE '!'`)
      .join(" AND ");
  return {
    document: source(
      "documents",
      `SELECT g.name, d.document_id, e.title, e.closed IS NULL AND g.closed IS NULL
       FROM documents d CROSS JOIN existences e ON e.document = d.id CROSS JOIN incarnations g ON g.id = d.incarnation
       WHERE d.id > @from AND d.id <= @to AND ${named("g.name || '/' || d.document_id", "e.title")}`,
    ),
    person: source(
      "principals",
      `SELECT g.name, p.name, r.name, r.person IS NOT NULL AND r.closed IS NULL AND g.closed IS NULL
       FROM principals p CROSS JOIN incarnations g ON g.id = p.incarnation LEFT JOIN registrations r ON r.person = p.id
       WHERE p.id > @from AND p.id <= @to AND p.kind = 1 AND ${named("p.name", "r.name")}`,
    ),
    group: source(
      "principals",
      `SELECT g.name, p.name, NULL, g.closed IS NULL AND EXISTS (
         SELECT 1 FROM group_names n WHERE n.principal = p.id AND n.closed IS NULL)
       FROM principals p CROSS JOIN incarnations g ON g.id = p.incarnation
       WHERE p.id > @from AND p.id <= @to AND p.kind = 2 AND ${named("g.name || '/' || p.name", "NULL")}`,
    ),
  };
}

/** Looks through the newest first, in turns of all kinds, for as long as there is time. */
function best({ words, kinds, count }: SubjectSearch, sources: Readonly<Record<SubjectKind, Source>>): FoundSubject[] {
  const end = performance.now() + longestMs;
  const folded = words.map(fold);
  // The rarest parts are most likely the longest.
  const [longest = "", second = ""] = words.toSorted((one, other) => other.length - one.length);
  const patterns = { pattern: patternOf(longest), other: second === "" ? "%" : patternOf(second) };
  const found = new Map<string, Ranked>();
  for (const kind of kinds) {
    const most = found.size + count * candidatesPerAsked;
    for (const row of newestFirst(sources[kind], patterns, end)) {
      const ranked = rank(subjectOf(kind, row), folded);
      if (ranked !== null) keep(found, ranked);
      if (found.size >= most) break;
    }
  }
  return [...found.values()]
    .sort((one, other) => one.rank - other.rank || (one.subject.value < other.subject.value ? -1 : 1))
    .slice(0, count)
    .map(({ subject }) => subject);
}

/** Rows that fit, a stretch of numbers after the other, until it is too late to begin another. */
function* newestFirst(source: Source, patterns: Patterns, end: number): Generator<Row> {
  for (let to = source.newest(); to > 0 && performance.now() < end; to -= stretch)
    yield* source.rows({ ...patterns, from: to - stretch, to });
}

interface Ranked {
  readonly subject: FoundSubject;
  readonly rank: number;
}

function subjectOf(kind: SubjectKind, [datasource, name, label, present]: Row): FoundSubject {
  const value = kind === "person" ? name : `${datasource}/${name}`;
  const named = { kind, value, label: label === null || label === "" ? name : label };
  return { ...named, datasource: kind === "person" ? null : datasource, present: present === 1 };
}

/** One that is there counts more than a former one of the same name. */
function keep(found: Map<string, Ranked>, ranked: Ranked): void {
  const key = `${ranked.subject.kind} ${ranked.subject.value}`;
  const known = found.get(key);
  if (known === undefined || ranked.rank < known.rank) found.set(key, ranked);
}

/** How well it fits, the best 0; null where a part occurs nowhere: SQLite folds ASCII letters alone. */
function rank(subject: FoundSubject, words: readonly string[]): Ranked | null {
  const names = [fold(subject.value), fold(subject.value.slice(subject.value.indexOf("/") + 1)), fold(subject.label)];
  if (!words.every((word) => names.some((name) => name.includes(word)))) return null;
  const begins = words.every((word) => names.some((name) => name.startsWith(word)));
  const beginsWords = words.every((word) => names.some((name) => hasWordWith(name, word)));
  return { subject, rank: (begins ? 0 : beginsWords ? 2 : 4) + (subject.present ? 0 : 1) };
}

function hasWordWith(name: string, beginning: string): boolean {
  for (let at = name.indexOf(beginning); at !== -1; at = name.indexOf(beginning, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1] ?? "")) return true;
  return false;
}

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

/** Letters beyond ASCII stand for any character: they are compared where the row is looked at. */
const patternOf = (word: string): string =>
  `%${[...word].map((character) => (/[%_!]/.test(character) ? `!${character}` : /[\0-\x7f]/.test(character) ? character : "_")).join("")}%`;
