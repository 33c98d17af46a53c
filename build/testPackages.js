/**
 * Installs what only tests and checks need (`test/package.json`) where it is missing or another version of it is there.
 * Whoever runs the service or the demo never downloads it. Run by every command that needs it.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { pathToFileURL } from "node:url";

const wanted = "test/package-lock.json";
/** The lock that was installed. `npm ci` removes it with everything else, so that half an installation is none. */
const installed = "test/node_modules/.installed-lock.json";

/** Whether they are there, in the versions that are locked. */
export function areTestPackagesInstalled() {
  return readOrEmpty(installed) === readFileSync(wanted, "utf8");
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function install() {
  console.error("Installing what only tests and checks need, once, into test/node_modules …");
  // `npm run --silent`, which may be around this, would silence it, too.
  const words = ["ci", "--prefix", "test", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "notice"];
  const { status } = spawnSync("npm", words, { stdio: ["ignore", 2, 2] });
  if (status === 0) copyFileSync(wanted, installed);
  else
    console.error(
      "What only tests and checks need could not be installed (npm says why above). Tests that need it are skipped by name.",
    );
}

/** Compiled tests lie in `dist/test`, from where Node would not look into `test`. */
function linkForCompiledTests() {
  mkdirSync("dist/test", { recursive: true });
  try {
    symlinkSync("../../test/node_modules", "dist/test/node_modules");
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (!areTestPackagesInstalled()) install();
  linkForCompiledTests();
}
