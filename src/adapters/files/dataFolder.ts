import { accessSync, chmodSync, constants, existsSync, readdirSync, statSync, type Stats, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rename, rm } from "node:fs/promises";
import { UnusableDataFolder } from "../../shared/failures.js";
import { DiskReserve, diskReserveFile } from "./diskReserve.js";
import { makePrivateFolder, sync, writeDurably } from "./privateFolder.js";

interface DataFolderUse {
  readonly dataDir: string;
  /**
   * `make`: a folder without data is where the service begins; `find`: there has to be data already; `restore`: its log
   * is about to be replaced, whatever is there.
   */
  readonly folder: "make" | "find" | "restore";
  /** Whether the log lies in the folder: then there is no data without it. */
  readonly holdsLog: boolean;
}

interface OwnFile {
  readonly path: string;
  readonly stats: Stats;
}

const forOthers = 0o077;
const isOfTheService = (name: string): boolean =>
  /\.sqlite|^auditSigningKey\.pem|^before-restore-|^uploads$/.test(name) ||
  [restoreIntentFile, diskReserveFile].includes(name);

/**
 * Makes the data folder, or sees that this process may work on the one that is there: what it makes there has to be
 * writable for the service, and what is there for this process. Takes away what other users of the machine may do with
 * its files, where this process owns them. Returns what there is to warn of, in sentences. Throws
 * {@link UnusableDataFolder}, or what the system says.
 */
export function openDataFolder(use: DataFolderUse): readonly string[] {
  const folder = resolve(use.dataDir);
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (use.folder !== "restore") refuseWithoutLog(folder, found, use.holdsLog);
  if (use.folder === "find" && !found.some(use.holdsLog ? isLog : isOfTheService)) throw nothingIn(folder);
  makePrivateFolder(folder);
  const files = found.filter(isOfTheService).flatMap((name) => fileAt(join(folder, name)));
  refuseOtherOwners(folder, files);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const { path } of files) refuseUnwritable(path);
  new DiskReserve(folder).giveWay();
  const isAllOurs = found.every(isOfTheService);
  return warningsOf(folder, narrowed([...files, ...(isAllOurs ? fileAt(folder) : [])]));
}

const isLog = (name: string): boolean => name === "log.sqlite";

/** A log whose first write has not come back may be in its journal yet. */
const isEmptyLog = (folder: string): boolean =>
  ["log.sqlite", "log.sqlite-wal"].every((name) => (fileAt(join(folder, name))[0]?.stats.size ?? 0) === 0);

/** Whether a name tells of a log that was there: what is made from it, or what a restore has moved aside. */
const tellsOfLog = (name: string): boolean => /\.sqlite|^before-restore-/.test(name);

/** A process that is killed while a log begins leaves nothing but the log's own files, and those empty. */
const isOfLog = (name: string): boolean => name.startsWith("log.sqlite");

/** A folder that once held a log never begins a new one by itself: people who had lost access would have it again. */
function refuseWithoutLog(folder: string, found: readonly string[], holdsLog: boolean): void {
  if (found.includes(restoreIntentFile)) throw new UnusableDataFolder(interruptedRestore(folder));
  if (!holdsLog) return;
  const isThere = found.some(isLog);
  if (isThere && !isEmptyLog(folder)) return;
  if (!found.some((name) => tellsOfLog(name) && !(isThere && isOfLog(name)))) return;
  throw new UnusableDataFolder(
    `${folder} held a log of the service, and log.sqlite is ${isThere ? "empty" : "gone"}. Put it back, or restore a backup: enterprise-search restore --from <backup>. If the log is another engine's, set EVENTSTORE_URL. To begin anew, set DATA_DIR to an empty folder.`,
  );
}

const nothingIn = (folder: string): UnusableDataFolder =>
  new UnusableDataFolder(
    `There is no data of the service in ${folder}. Set DATA_DIR to the folder that the service uses, or let it begin there: enterprise-search serve, import, or create with --init.`,
  );

/** Nothing where it is gone by now, as what SQLite keeps beside its files may be. */
function fileAt(path: string): readonly OwnFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path, stats }];
}

/**
 * Files of another user cannot be written; and what the superuser makes among them its owner cannot write. A folder of
 * another user is no fault by itself: it may be there for a group.
 */
function refuseOtherOwners(folder: string, files: readonly OwnFile[]): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const looked = user === 0 && files.length === 0 ? fileAt(folder) : files;
  const foreign = looked.find(({ stats }) => stats.uid !== user);
  if (foreign === undefined) return;
  const owner = foreign.stats.uid;
  throw new UnusableDataFolder(
    `${foreign.path} belongs to the user with the id ${owner}, and this process runs as ${user}: one of them could not write what the other makes. Run it as that user (sudo -u '#${owner}' …), or give everything to one: chown -R ${user} ${folder}`,
  );
}

function refuseUnwritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | (path.endsWith(".pem") ? 0 : constants.W_OK));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new UnusableDataFolder(
      `${path} cannot be read and written (${(error as Error).message}). Everything in the data folder has to be writable for the service.`,
    );
  }
}

interface Openness {
  readonly path: string;
  readonly mode: number;
  readonly isNarrowed: boolean;
}

/** The files that other users may use in any way, and whether that has been taken from them. */
function narrowed(files: readonly OwnFile[]): readonly Openness[] {
  return files
    .filter(({ stats }) => (stats.mode & forOthers) !== 0)
    .map(({ path, stats }) => ({ path, mode: stats.mode & 0o7777, isNarrowed: narrow(path, stats) }));
}

function narrow(path: string, { mode }: Stats): boolean {
  try {
    chmodSync(path, mode & 0o7777 & ~forOthers);
    return true;
  } catch {
    return false;
  }
}

function warningsOf(folder: string, open: readonly Openness[]): readonly string[] {
  const listed = (those: readonly Openness[]): string => those.map((each) => describe(folder, each)).join(", ");
  const [taken, left] = [open.filter(({ isNarrowed }) => isNarrowed), open.filter(({ isNarrowed }) => !isNarrowed)];
  return [
    ...(taken.length === 0
      ? []
      : [
          `Other users of this machine could use what is in the data folder: ${listed(taken)}. It is for this user alone now.`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `Other users of this machine can use what is in the data folder: ${listed(left)}. Its owner can take that from them: chmod -R go= ${folder}`,
        ]),
  ];
}

const describe = (folder: string, { path, mode }: Openness): string =>
  `${path === folder ? folder : path.slice(folder.length + 1)} (mode 0${mode.toString(8)})`;

/** What a restore is about to do. It is on disk from before its first step until after its last. */
interface RestoreIntent {
  /** The folder of the backup. */
  readonly from: string;
  /** Where it moves the log that is there. */
  readonly aside: string;
}

const restoreIntentFile = "restore-under-way.json";

/** Resolves once it is on disk. One that is there already is replaced. */
export async function writeRestoreIntent(folder: string, intent: RestoreIntent): Promise<void> {
  const draft = join(folder, `${restoreIntentFile}.draft`);
  await rm(draft, { force: true });
  await writeDurably(draft, JSON.stringify(intent));
  await rename(draft, join(folder, restoreIntentFile));
  await sync(folder);
}

/** For when everything that was intended is done, and on disk before this is. */
export async function removeRestoreIntent(folder: string): Promise<void> {
  await sync(folder);
  await rm(join(folder, restoreIntentFile));
  await sync(folder);
}

/** What to do where a restore has not come to its end, as sentences. */
function interruptedRestore(folder: string): string {
  const { from, aside } = intentIn(folder);
  return `A restore of ${from} into ${folder} was interrupted. Nothing is lost: restore again (enterprise-search restore --from ${from}), with that backup or another. The log that was there before is in ${aside}, or still in its place.`;
}

function intentIn(folder: string): RestoreIntent {
  try {
    return JSON.parse(readFileSync(join(folder, restoreIntentFile), "utf8")) as RestoreIntent;
  } catch {
    return { from: "<backup>", aside: "before-restore-…" };
  }
}
