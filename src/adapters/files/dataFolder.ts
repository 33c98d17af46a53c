import { accessSync, chmodSync, constants, existsSync, readdirSync, statSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { UnusableDataFolder } from "../../shared/unusableDataFolder.js";
import { makePrivateFolder } from "./privateFolder.js";

export interface DataFolderUse {
  readonly dataDir: string;
  /** `make`: a folder without data is where the service begins; `find`: there has to be data already. */
  readonly folder: "make" | "find";
  /** Whether the log lies in the folder: then there is no data without it. */
  readonly holdsLog: boolean;
}

interface OwnFile {
  readonly path: string;
  readonly stats: Stats;
}

const forOthers = 0o077;
const isOfTheService = (name: string): boolean =>
  /\.sqlite|^auditSigningKey\.pem|^before-restore-|^uploads$/.test(name);

/**
 * Makes the data folder, or sees that this process may work on the one that is there: what it makes there has to be
 * writable for the service, and what is there for this process. Takes away what other users of the machine may do with
 * its files, where this process owns them. Returns what there is to warn of, in sentences. Throws
 * {@link UnusableDataFolder}, or what the system says.
 */
export function openDataFolder(use: DataFolderUse): readonly string[] {
  const folder = resolve(use.dataDir);
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (use.folder === "find" && !found.some(use.holdsLog ? isLog : isOfTheService)) throw nothingIn(folder);
  makePrivateFolder(folder);
  const files = found.filter(isOfTheService).flatMap((name) => fileAt(join(folder, name)));
  refuseOtherOwners(folder, files);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const { path } of files) refuseUnwritable(path);
  const isAllOurs = found.every(isOfTheService);
  return warningsOf(folder, narrowed([...files, ...(isAllOurs ? fileAt(folder) : [])]));
}

const isLog = (name: string): boolean => name === "log.sqlite";

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

/** Those that other users may use in any way, and whether that has been taken from them. */
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
