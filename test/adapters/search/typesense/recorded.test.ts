import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { repositoryRoot } from "../../../support/repositoryFiles.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";

interface Exchange {
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

const folder = join(repositoryRoot, "test/fixtures/typesense");

/** What depends on the clock, and what adapters never look at. */
const ignored = new Set([
  "created_at",
  "highlight",
  "highlights",
  "text_match",
  "text_match_info",
  "search_time_ms",
  "search_cutoff",
  "fields",
  "token_separators",
  "facet_counts",
]);

/** A body as far as adapters look at it: an import's and an export's line by line. */
const essence = (body: unknown): unknown =>
  typeof body === "string"
    ? body.split("\n").map((line) => plain(withoutParserDetails(JSON.parse(line))))
    : plain(body);

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !ignored.has(name));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, plain(inner)]));
}

/** Which of the two complains first, and what a parser thinks of a line, is not looked at. */
function withoutParserDetails(line: unknown): unknown {
  const { error: _error, id: _id, ...rest } = line as Record<string, unknown>;
  return rest;
}

/** Deleting answers with what was deleted; nobody reads it. */
const isCompared = ({ request }: Exchange): boolean =>
  !(request.method === "GET" && request.path === "/collections/documents_v1");

describe("the double of Typesense", () => {
  it("answers as a real server did, exchange for exchange", async () => {
    const double = await TypesenseDouble.start();
    const differing: string[] = [];
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()) {
      const exchange = JSON.parse(readFileSync(join(folder, file), "utf8")) as Exchange;
      const { method, path, body } = exchange.request;
      const answer = await fetch(double.url + path, {
        method,
        headers: { "x-typesense-api-key": file.includes("wrong-key") ? "wrong" : double.apiKey },
        body: body === null ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      const received = answer.headers.get("content-type")?.startsWith("application/json")
        ? (JSON.parse(text) as unknown)
        : text;
      if (answer.status !== exchange.response.status)
        differing.push(`${file}: ${answer.status} in place of ${exchange.response.status}`);
      if (!isCompared(exchange)) continue;
      const [ours, recorded] = [JSON.stringify(essence(received)), JSON.stringify(essence(exchange.response.body))];
      if (ours !== recorded) differing.push(`${file}: ${ours} in place of ${recorded}`);
    }
    await double.stop();
    expect(differing).to.deep.equal([]);
  });
});
