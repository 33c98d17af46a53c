/**
 * Prints how big the house is: files, lines, exported names and lines of imports of each room, how many files only one
 * other reads, and how many files three requests pass. Run by `npm run house`, after `npm run build`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const sides = ["src", "commands", "projections", "queries"];

const files = sides.flatMap((side) =>
  readdirSync(side, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => fileIn(join(side, path))),
);

function fileIn(path) {
  const text = readFileSync(path, "utf8");
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const imports = syntax.statements.filter((node) => ts.isImportDeclaration(node));
  return {
    path,
    lines: text.trimEnd().split("\n").length,
    exports: syntax.statements.reduce((count, node) => count + exportedBy(node), 0),
    importLines: imports.reduce((count, node) => count + linesOf(syntax, node), 0),
    reads: new Set(syntax.statements.flatMap((node) => readBy(node, path))),
  };
}

function linesOf(syntax, node) {
  const lineOf = (at) => syntax.getLineAndCharacterOfPosition(at).line;
  return lineOf(node.end) - lineOf(node.getStart(syntax)) + 1;
}

function exportedBy(node) {
  if (ts.isExportDeclaration(node)) return node.exportClause?.elements?.length ?? 0;
  if (!ts.canHaveModifiers(node)) return 0;
  const isExported = ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return 0;
  return ts.isVariableStatement(node) ? node.declarationList.declarations.length : 1;
}

function readBy(node, path) {
  const from = (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier?.text;
  return from?.startsWith?.(".") ? [join(dirname(path), from.replace(/\.js$/, ".ts"))] : [];
}

const sum = (list, key) => list.reduce((count, file) => count + file[key], 0);

function printRooms() {
  const rooms = new Map();
  for (const file of files) {
    const [side, room] = file.path.split("/");
    const name = side === "src" && !room.endsWith(".ts") ? `src/${room}` : side;
    rooms.set(name, [...(rooms.get(name) ?? []), file]);
  }
  const row = (name, of) => ({
    room: name,
    files: of.length,
    lines: sum(of, "lines"),
    exports: sum(of, "exports"),
    "import lines": sum(of, "importLines"),
  });
  console.table([...[...rooms].map(([name, of]) => row(name, of)), row("all", files)]);
}

function printReaders() {
  const readers = new Map(files.map(({ path }) => [path, []]));
  for (const { path, reads } of files) for (const read of reads) readers.get(read)?.push(path);
  const alone = [...readers].filter(([, those]) => those.length === 1);
  const beside = alone.filter(([path, [reader]]) => dirname(path) === dirname(reader));
  console.log(`${alone.length} files have one reader, ${beside.length} of them in their own folder.`);
}

const inHouse = (url) =>
  fileURLToPath(url)
    .replace(/^.*\/dist\//, "")
    .replace(/\.js$/, ".ts");

const warmRequests = 3;
const requestsCounted = 5;

/**
 * The files that each of some requests passes on the main thread: what happens to go on beside one of them, such as
 * projections that follow, is not on its way. What a thread does is counted with nobody.
 */
async function filesPassed(session, request) {
  // What is done once for all requests is not on the way of any.
  for (let warm = 0; warm < warmRequests; warm++) await request();
  let passed = null;
  for (let count = 0; count < requestsCounted; count++) {
    const those = new Set(await filesPassedOnce(session, request));
    passed = passed === null ? [...those] : passed.filter((url) => those.has(url));
  }
  return passed;
}

async function filesPassedOnce(session, request) {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await request();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const ours = result.filter(({ url }) => /\/dist\/(src|commands|projections|queries)\//.test(url));
  return ours.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0)).map(({ url }) => url);
}

function printPassed(name, passed) {
  console.log(`${name} passes ${passed.length} files of the main thread`);
  if (process.argv.includes("--files")) for (const url of passed.sort()) console.log(`  ${inHouse(url)}`);
}

async function printWays() {
  const { startService } = await import("../dist/src/main.js");
  const { readConfig } = await import("../dist/src/config.js");
  const { createLogger } = await import("../dist/src/logging.js");
  const { mintOperatorCredential } = await import("../dist/src/shared/credential.js");
  const folder = mkdtempSync(join(tmpdir(), "house-"));
  const read = readConfig({ HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", DATA_DIR: folder });
  if (!read.ok) throw new Error(read.error.join("\n"));
  const operatorCredential = mintOperatorCredential();
  const service = await startService(read.value, createLogger(read.value), { operatorCredential });
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  try {
    await service.ready;
    const ask = async (credential, method, path, body) => {
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(`${service.url}${path}`, sent);
      const told = await answer.json();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(told)}`);
      return told;
    };
    const { token } = await ask(operatorCredential, "POST", "/api/admin/service-accounts", { name: "house" });
    const { key } = await ask(operatorCredential, "POST", "/api/admin/api-keys", { email: "ada@example.org" });
    const push = (path, body) => ask(token, "POST", `/api/indexing/${path}`, body);
    await push("datasources", { name: "wiki" });
    await push("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    let next = 0;
    const document = () => ({
      ...{ datasource: "wiki", id: `d${next++}`, title: "A plan", file_type: "page" },
      body: { mime_type: "text/plain", text_content: "The plan." },
    });
    const membership = async () => {
      const group = `g${next++}`;
      await push("groups", { datasource: "wiki", group: { name: group } });
      return { group_name: group, member_email: "ada@example.org" };
    };
    const ways = {
      "a document": () => push("documents", { documents: document() }),
      "a membership": () => push("memberships", { datasource: "wiki", membership: prepared.shift() }),
      "a search": () => ask(key, "GET", "/api/beta/search?query=plan"),
    };
    const prepared = [];
    for (let count = 0; count < warmRequests + requestsCounted; count++) prepared.push(await membership());
    for (const [name, request] of Object.entries(ways)) {
      printPassed(name, await filesPassed(session, request));
    }
  } finally {
    session.disconnect();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

printRooms();
printReaders();
await printWays();
