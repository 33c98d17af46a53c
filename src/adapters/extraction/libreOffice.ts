import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { mediaTypes } from "./detect/mediaTypes.js";
import { UnknownFormat, UnreadableFile } from "./readers/reader.js";

/** A LibreOffice that is installed on this machine, and what bounds its work. */
export interface LibreOffice {
  readonly program: string;
  /** Where it keeps its files while it converts one; all of them are removed afterwards. */
  readonly folder: string;
  /** It is ended where it holds more. */
  readonly memoryBytes: number;
}

/** Where it is installed by its packages, besides the folders of `PATH`. */
const usualPlaces = [
  "/usr/lib/libreoffice/program/soffice",
  "/opt/libreoffice/program/soffice",
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
];

/** The program of a LibreOffice that is installed; null where none is found. */
export function findLibreOffice(path: string): string | null {
  const inPath = path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "soffice"));
  return [...inPath, ...usualPlaces].find((program) => existsSync(program)) ?? null;
}

/** Formats that it reads, and into which one of those that have a reader here. */
const targets: Readonly<Record<string, string>> = {
  [mediaTypes.doc]: "docx",
  [mediaTypes.xls]: "xlsx",
  [mediaTypes.ppt]: "pptx",
  "application/vnd.visio": "pdf",
  "application/x-mspublisher": "pdf",
  "application/vnd.corel-draw": "pdf",
  "application/vnd.wordperfect": "docx",
  "application/wordperfect": "docx",
  "application/vnd.ms-works": "docx",
  "application/x-abiword": "docx",
  "application/x-hwp": "docx",
  "application/vnd.lotus-wordpro": "docx",
  "application/vnd.stardivision.writer": "docx",
  "application/vnd.stardivision.calc": "xlsx",
  "application/vnd.stardivision.impress": "pptx",
};

/** Whether it turns files of this type into ones that have a reader here. */
export const isConvertible = (mimeType: string): boolean => Object.hasOwn(targets, mimeType);

/** A file in the format that another one was converted to. */
interface Converted {
  readonly bytes: Buffer;
  readonly name: string;
}

/**
 * Converts a file in a process of its own: without the network where the system allows that, and never with macros.
 *
 * @param untilMs When the process is ended, by `performance.now()`.
 * @throws UnreadableFile where it does not convert the file, or not within its limits.
 */
export async function convert(
  { program, folder, memoryBytes }: LibreOffice,
  { bytes, mimeType }: { readonly bytes: Buffer; readonly mimeType: string },
  untilMs: number,
): Promise<Converted> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(join(folder, "libreoffice-"));
  try {
    writeProfile(join(own, "profile"));
    writeFileSync(join(own, "file"), bytes);
    const process = await start(program, own, targets[mimeType] ?? "pdf");
    await ended(process, memoryBytes, untilMs);
    const into = join(own, "converted");
    const [name] = existsSync(into) ? readdirSync(into) : [];
    if (name === undefined) throw new UnknownFormat("LibreOffice does not know how to read the file.");
    return { bytes: readFileSync(join(into, name)), name };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Macros never run, links are not followed, and whatever asks for the network is sent to a proxy that is not there. */
const profileItems: readonly (readonly [string, string, string])[] = [
  ["Common/Security/Scripting", "DisableMacrosExecution", "true"],
  ["Common/Security/Scripting", "MacroSecurityLevel", "3"],
  ["Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"],
  ["Common/Security/Scripting", "DisableActiveContent", "true"],
  ["Writer/Content/Update", "Link", "0"],
  ["Calc/Content/Update", "Link", "2"],
  ["Inet/Settings", "ooInetProxyType", "2"],
  ["Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"],
  ["Inet/Settings", "ooInetHTTPProxyPort", "9"],
  ["Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"],
  ["Inet/Settings", "ooInetHTTPSProxyPort", "9"],
];

function writeProfile(folder: string): void {
  const items = profileItems.map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.${path.startsWith("Inet") ? "" : "Office."}${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  mkdirSync(join(folder, "user"), { recursive: true });
  writeFileSync(
    join(folder, "user", "registrymodifications.xcu"),
    `<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join("")}</oor:items>`,
  );
}

async function start(program: string, folder: string, target: string): Promise<ChildProcess> {
  const asked = [
    `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`,
    ...["--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo"],
    ...["--convert-to", target, "--outdir", join(folder, "converted"), join(folder, "file")],
  ];
  const [command = program, ...before] = [...(await withoutNetwork()), program];
  // A group of its own, so that all of its processes are ended together.
  return spawn(command, [...before, ...asked], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: { HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", PATH: `${dirname(program)}:/usr/local/bin:/usr/bin:/bin` },
  });
}

let isolation: Promise<readonly string[]> | undefined;

/**
 * What a program is started by so that it has no network; nothing where the system does not allow that to everybody.
 */
const withoutNetwork = (): Promise<readonly string[]> => {
  isolation ??= new Promise((resolve) => {
    const attempt = spawn("unshare", ["--net", "--map-root-user", "true"], {
      stdio: "ignore",
      env: { PATH: "/usr/bin:/bin" },
    });
    attempt.once("error", () => resolve([]));
    attempt.once("exit", (code) => resolve(code === 0 ? ["unshare", "--net", "--map-root-user"] : []));
  });
  return isolation;
};

const lookEveryMs = 100;

/** Resolves once the process has ended by itself. */
async function ended(child: ChildProcess, memoryBytes: number, untilMs: number): Promise<void> {
  let because: string | null = null;
  const end = (reason: string): void => {
    because = reason;
    endGroup(child);
  };
  const watch = setInterval(() => {
    if (performance.now() > untilMs) end("Converting it took too long.");
    else if (residentBytes(child.pid) > memoryBytes) end("Converting it took too much memory.");
  }, lookEveryMs);
  try {
    await new Promise((resolve, reject) => {
      child.once("exit", resolve);
      child.once("error", reject);
    });
  } finally {
    clearInterval(watch);
    endGroup(child);
  }
  if (because !== null) throw new UnreadableFile(because);
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

const pageBytes = 4_096;

/** What a process and those that it started hold. Where the system does not tell, nothing. */
function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean);
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), pages * pageBytes);
  } catch {
    return 0;
  }
}
