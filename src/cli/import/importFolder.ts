import { join } from "node:path";
import { readdir } from "node:fs/promises";
import { type ApiClient, describeAnswer } from "../apiClient.js";
import { CliFailure } from "../cliFailure.js";
import { anonymousPermissions, nobodyPermissions, type AccessRules, type Permissions } from "./accessRules.js";
import { documentIdOf, toPushedDocument, withoutText, type PushedDocument } from "./toPushedDocument.js";
import { ImportedRun, type DeletionReport, type MissingDeletion } from "./missingDocuments.js";
import { type FileOutcome, pushDocuments } from "./pushDocuments.js";
import { readFile } from "./readFile.js";

export interface FolderImport {
  readonly folder: string;
  readonly datasource: string;
  /**
   * The people who may see each file. `unsaid`: nobody named any; then no permissions are sent, and the datasource's
   * `default_access` decides. Nothing is imported where that would open a document that is restricted.
   */
  readonly access: AccessRules | "anonymous" | "unsaid";
  /** Paths relative to the folder that are not imported: the file of access rules itself. */
  readonly leftOut: ReadonlySet<string>;
  readonly hidden: boolean;
  readonly maxBytes: number;
  readonly linkPrefix: string | null;
  /** Left out: documents of files that are gone stay. */
  readonly deleteMissing?: MissingDeletion;
}

interface ImportObserver {
  /** The number of files and reported entries, once it is known. */
  onTotal(entries: number): void;
  onOutcome(outcome: FileOutcome): void;
}

export interface ImportReport {
  readonly datasource: string;
  /** Whether this import registered the datasource. */
  readonly registered: boolean;
  readonly counts: Readonly<Record<FileOutcome["outcome"], number>>;
  /** Why the import ended before its last file; null: it did not. */
  readonly stopped: string | null;
  /** Files that no access rule speaks for, so that nobody sees them. */
  readonly visible_to_nobody: readonly string[];
  /** Documents that were restricted before, and that every registered user sees since this import. */
  readonly widened: readonly string[];
  /**
   * Documents that this import would have opened without having been told to: it imported nothing, or, where they were
   * restricted while it ran, all but them.
   */
  readonly restricted: readonly string[];
  /** What became of documents whose files are gone; null: nobody asked for that. */
  readonly deletion: DeletionReport | null;
  /** Patterns of access rules that decided for no file. */
  readonly unused_rules: readonly string[];
  /** One entry for every file that was reached. */
  readonly documents: readonly FileOutcome[];
}

/** How the service words that a document was restricted and is no more. */
const saysWidened = /\bwas restricted before\b/;

/** How the service words, where it is only asked, that a document is restricted and would be no more. */
const saysWouldWiden = /\bis restricted;/;

/** How the service words that it refused a document because it would be no more restricted. */
const saysRefused = /\bis restricted, and every registered user\b/;

/**
 * Pushes the files of a folder that the service can read into a datasource, which is registered where it does not
 * exist. There is no state file: ids derive from paths and `last_modified` from the files, so that the service itself
 * knows what it already has, and an import that was cut short is resumed by running it again. Files that vanished from
 * the folder stay indexed, unless they are to be deleted: then only where all of the folder could be read, and every
 * push was taken.
 */
export async function importFolder(
  request: FolderImport,
  client: ApiClient,
  observer: ImportObserver,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { datasource, deleteMissing } = request;
  const registered = await ensureDatasource(datasource, client, signal);
  const syncRun =
    deleteMissing === undefined
      ? null
      : await ImportedRun.start(client, { datasource, maxDeletedShare: deleteMissing.maxDeletedShare }, signal);
  const entries = await listFolder(request);
  const run = new ImportRun(request, observer);
  const restricted = registered ? [] : await run.ask(entries, client, signal);
  observer.onTotal(entries.length);
  const reportOf = (outcome: Pick<ImportReport, "stopped" | "deletion">): ImportReport => {
    const { refused, ...report } = run.report();
    return { datasource, registered, ...outcome, restricted: [...restricted, ...refused], ...report };
  };
  if (restricted.length > 0) {
    await syncRun?.abort();
    return reportOf({ stopped: wouldOpen(restricted), deletion: null });
  }
  if (deleteMissing === undefined || syncRun === null)
    return reportOf({ stopped: await run.push(entries, client, signal), deletion: null });
  await syncRun.see(idsOf(entries));
  const stopped = await run.push(entries, client, signal);
  const unread = entries.find(({ kind }) => kind === "failed");
  if (stopped === null && unread === undefined)
    return reportOf({ stopped, deletion: await syncRun.deleteMissing(deleteMissing.decide) });
  await syncRun.abort();
  const kept =
    unread === undefined ? "The import stopped early." : `The folder ${unread.path} could not be read as a whole.`;
  const nothing = { would_delete: 0, documents: 0, missing: [], deleted: 0, as_decided: false };
  return reportOf({ stopped, deletion: { ...nothing, kept: `Nothing was deleted. ${kept}` } });
}

/** Every name that is there, whether it can be imported or not: what stands there is not gone. */
const idsOf = (entries: readonly FolderEntry[]): readonly string[] => entries.map(({ path }) => documentIdOf(path));

async function ensureDatasource(name: string, client: ApiClient, signal: AbortSignal): Promise<boolean> {
  const found = await client.request({ method: "GET", path: `/api/indexing/datasources/${name}`, signal });
  if (found.status === 200) return false;
  if (found.status !== 404) throw new CliFailure(describeAnswer(found));
  const created = await client.request({
    method: "POST",
    path: "/api/indexing/datasources",
    body: { name, display_name: name },
    signal,
  });
  if (created.status === 409) return false;
  if (created.status !== 200)
    throw new CliFailure(
      `The datasource ${name} does not exist and could not be registered. ${describeAnswer(created)}`,
    );
  return true;
}

async function listFolder({ folder, hidden, leftOut }: FolderImport): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for await (const entry of walkFolder(folder, { hidden })) if (!leftOut.has(entry.path)) entries.push(entry);
  return entries;
}

/** One import's way through the folder, and what came of it. */
class ImportRun {
  private readonly outcomes: FileOutcome[] = [];
  private readonly visibleToNobody: string[] = [];
  private readonly widened: string[] = [];
  private readonly refused: string[] = [];
  /** What the service said, where it has a document as it is already. */
  private readonly unchanged = new Map<string, FileOutcome>();

  constructor(
    private readonly request: FolderImport,
    private readonly observer: ImportObserver,
  ) {}

  /**
   * Asks of all files, before any is pushed, what would become of them: by ids, dates and access, without texts. What
   * is unchanged is not sent then. Answers with the paths of documents that are restricted and that pushing would open
   * without having been told to.
   */
  async ask(entries: readonly FolderEntry[], client: ApiClient, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    const isUnsaid = this.request.access === "unsaid";
    const asked = pushDocuments(this.documentsWithoutText(entries), {
      ...{ client, signal, mode: "trial" },
      onOutcome: (outcome) => {
        if (isUnsaid && saysWouldWiden.test(outcome.message)) found.push(outcome.path);
        if (outcome.outcome === "already_indexed") this.unchanged.set(outcome.path, outcome);
      },
    });
    // A service that cannot be asked is sent everything, but for what must not be opened.
    await asked.catch((error: unknown) => {
      if (isUnsaid) throw error;
    });
    return found.sort();
  }

  /** Why the import ended early, or null. */
  async push(entries: readonly FolderEntry[], client: ApiClient, signal: AbortSignal): Promise<string | null> {
    try {
      const mode = this.request.access === "unsaid" ? "neverWidens" : "push";
      await pushDocuments(this.documents(entries), {
        ...{ client, signal, mode },
        onOutcome: (outcome) => this.record(outcome),
      });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** `refused`: restricted, and not opened. */
  report(): Omit<ImportReport, "datasource" | "registered" | "stopped" | "restricted" | "deletion"> & {
    readonly refused: readonly string[];
  } {
    const count = (outcome: FileOutcome["outcome"]): number =>
      this.outcomes.filter((entry) => entry.outcome === outcome).length;
    return {
      counts: {
        sent: count("sent"),
        already_indexed: count("already_indexed"),
        skipped: count("skipped"),
        failed: count("failed"),
      },
      visible_to_nobody: this.visibleToNobody,
      widened: this.widened,
      refused: this.refused.toSorted(),
      unused_rules: typeof this.request.access === "string" ? [] : this.request.access.unusedPatterns(),
      documents: this.outcomes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    };
  }

  private async *documentsWithoutText(entries: readonly FolderEntry[]): AsyncGenerator<PushedDocument> {
    for (const entry of entries) {
      const read = entry.kind === "file" ? await this.read(entry.path) : null;
      if (read !== null && !("outcome" in read)) yield { ...withoutText(read), ...this.permissionsOf(entry.path) };
    }
  }

  private async *documents(entries: readonly FolderEntry[]): AsyncGenerator<PushedDocument> {
    for (const entry of entries) {
      const unchanged = this.unchanged.get(entry.path);
      const read = unchanged ?? (await this.readEntry(entry));
      if (unchanged !== undefined || !("outcome" in read)) this.noteNobody(entry.path);
      if ("outcome" in read) this.record(read);
      else yield { ...read, ...this.permissionsOf(entry.path) };
    }
  }

  private readEntry(entry: FolderEntry): Promise<PushedDocument | FileOutcome> {
    return entry.kind === "file"
      ? this.read(entry.path)
      : Promise.resolve({ path: entry.path, document_id: null, outcome: entry.kind, message: entry.reason });
  }

  /** The document of a file, without permissions; or what becomes of a file that cannot be read. */
  private async read(path: string): Promise<PushedDocument | FileOutcome> {
    const { folder, datasource, linkPrefix, maxBytes } = this.request;
    try {
      const file = await readFile(join(folder, path), maxBytes);
      if (file.kind === "skipped") return { path, document_id: null, outcome: "skipped", message: file.reason };
      return toPushedDocument({ datasource, path, file, linkPrefix });
    } catch (error) {
      const message = `The file could not be read: ${(error as Error).message}`;
      return { path, document_id: null, outcome: "failed", message };
    }
  }

  private permissionsOf(path: string): { readonly permissions?: Permissions } {
    const { access } = this.request;
    if (access === "unsaid") return {};
    if (access === "anonymous") return { permissions: anonymousPermissions };
    return { permissions: access.permissionsFor(path) ?? nobodyPermissions };
  }

  private noteNobody(path: string): void {
    const { access } = this.request;
    if (typeof access !== "string" && access.permissionsFor(path) === null) this.visibleToNobody.push(path);
  }

  private record(outcome: FileOutcome): void {
    this.outcomes.push(outcome);
    this.observer.onOutcome(outcome);
    if (outcome.outcome === "failed" && saysRefused.test(outcome.message)) this.refused.push(outcome.path);
    if (outcome.outcome === "sent" && saysWidened.test(outcome.message)) this.widened.push(outcome.path);
  }
}

const mostNamed = 5;

function wouldOpen(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  const [are, them] = paths.length === 1 ? ["is", "it"] : ["are", "them"];
  return `Nothing was imported: ${paths.slice(0, mostNamed).join(", ")}${more} ${are} restricted, and without access rules every registered user of the datasource would see ${them}. Import again with --acl FILE to restrict the files, or with --anonymous to open the folder on purpose.`;
}

/** A regular file, or something that is not imported and why. `path` is relative to the folder, with `/`. */
export type FolderEntry =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "skipped"; readonly path: string; readonly reason: string }
  | { readonly kind: "failed"; readonly path: string; readonly reason: string };

interface WalkOptions {
  /** Whether names that start with a dot are walked too. */
  readonly hidden: boolean;
}

const neverWalked: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Everything below a folder, in the order of names. Left out without a word: `node_modules`, `.git` and, unless asked
 * for, hidden names. Symbolic links are reported and not followed: they can loop, and they can lead to files outside
 * the folder that nobody meant to publish.
 */
export async function* walkFolder(root: string, options: WalkOptions, below = ""): AsyncGenerator<FolderEntry> {
  let names;
  try {
    names = await readdir(join(root, below), { withFileTypes: true });
  } catch (error) {
    yield { kind: "failed", path: below, reason: `The folder could not be read: ${(error as Error).message}` };
    return;
  }
  for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (neverWalked.has(entry.name) || (!options.hidden && entry.name.startsWith("."))) continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(root, options, path);
    else if (entry.isFile()) yield { kind: "file", path };
    else if (entry.isSymbolicLink()) yield { kind: "skipped", path, reason: "Symbolic links are not followed." };
    else yield { kind: "skipped", path, reason: "It is not a regular file." };
  }
}
