import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { atMost, type Measurement } from "../measure.js";
import { inNewBrowser, type Dashboard } from "./visitor.js";

const most = 120;
const compressed = ".br";
const assets = fileURLToPath(new URL("../../web/assets/", import.meta.url));

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;

/** What comes over the line, compressed, until one can search; and each file that a screen loads when it is opened. */
export async function measureBytes(dashboard: Dashboard): Promise<readonly Measurement[]> {
  const first = await inNewBrowser(dashboard, "/search", async (page) => {
    await page.getByRole("searchbox").waitFor();
    await page.waitForLoadState("networkidle");
    return page.evaluate<readonly { readonly name: string; readonly bytes: number }[]>(loaded);
  });
  const names = new Set(first.map(({ name }) => name));
  const chunks = readdirSync(assets)
    .filter((file) => file.endsWith(compressed))
    .map((file) => ({ name: file.slice(0, -compressed.length), bytes: statSync(`${assets}${file}`).size }))
    .filter(({ name }) => !names.has(name))
    .sort((a, b) => b.bytes - a.bytes);
  const [largest = { name: "", bytes: 0 }] = chunks;
  const total = first.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    {
      name: "dashboard: all that is loaded until one can search, compressed, in KB",
      ...atMost(most, total / 1_000),
      ...{ ours: kilobytes(total), peer: `${first.length} files`, rounds: 1 },
    },
    {
      name: "dashboard: the largest file that is loaded when it is needed, compressed, in KB",
      ...atMost(most, largest.bytes / 1_000),
      ours: chunks.map(({ name, bytes }) => `${withoutHash(name)} ${kilobytes(bytes)}`).join("\n"),
      peer: `${chunks.length} files`,
      rounds: 1,
    },
  ];
}

const withoutHash = (file: string): string => file.replace(/-[\w-]{8}\./, ".");

/** The page and its files, by name, without what the API answered. */
const loaded = `["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .filter(({ name }) => !name.includes("/api/"))
  .map(({ name, encodedBodySize: bytes }) => ({ name: new URL(name).pathname.split("/").at(-1), bytes }))`;
