import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { openDocumentIntake } from "../../src/adapters/documentIntake/documentIntake.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const bodyBytes = 4_000_000;
/** CPU time for a byte, in that of an ordinary push. */
const mostCpu = 16;

const page = { datasource: "wiki", file_type: "page", body: { mime_type: "text/plain", text_content: "a" } };
const document = (fields: object): string => JSON.stringify({ ...page, id: "a", title: "a", ...fields });
const holding = (value: string): string =>
  document({ custom_properties: [{ name: "p", value: 0 }] }).replace('"value":0', () => `"value":${value}`);
/** As often as it takes to fill a body. */
const filled = (before: string, piece: string, after: string): string =>
  `${before}${`${piece},`.repeat(Math.ceil((bodyBytes - before.length - after.length) / (piece.length + 1)))}${piece}${after}`;
const documents = (one: string): string => filled('{"documents":[', one, "]}");
const keys = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":1`).join();

const plain = documents(document({ body: { mime_type: "text/plain", text_content: "some words ".repeat(90) } }));
const shapes: Readonly<Record<string, string>> = {
  "one text": `{"documents":${document({ body: { mime_type: "text/plain", text_content: "some words ".repeat(363_000) } })}}`,
  "a text of escapes": `{"documents":${document({}).replace('"a"}', `"${"\\u0041".repeat(660_000)}"}`)}}`,
  "keys of one object": `{"documents":{${keys(330_000)}}}`,
  "keys of many objects": documents(`{${keys(250)}}`),
  "empty objects": documents("{}"),
  "empty lists": filled(`{"documents":[${holding("0").slice(0, -4)},"value":[`, "[]", "]}]}]}"),
  numbers: `{"documents":[${holding(filled("[", "0", "]"))}]}`,
  "long numbers": documents(holding("1".repeat(4_000))),
  "short texts": `{"documents":[${holding(filled("[", '""', "]"))}]}`,
  "deep lists": documents(holding(`${"[".repeat(190)}${"]".repeat(190)}`)),
  "lists of people": documents(
    document({ permissions: { allowed_users: Array.from({ length: 200 }, (_, at) => ({ email: `p${at}@x.org` })) } }),
  ),
  "many properties": documents(
    document({ custom_properties: Array.from({ length: 256 }, (_, at) => ({ name: `p${at}`, value: at })) }),
  ),
  "small binaries": documents(document({ body: { mime_type: "text/plain", binary_base64: "YWJj" } })),
  "one large binary": `{"documents":${document({ body: { mime_type: "image/png", binary_base64: "YWJj".repeat(990_000) } })}}`,
  "nothing but space": `{"documents":[]${" ".repeat(bodyBytes)}}`,
};

describe("what a body costs", () => {
  const folder = temporaryFolder("bodyCost");
  // A thread that needs more than eight bytes for each of a body's, and what is allowed to every one, ends.
  const intake = openDocumentIntake({ maxBinaryBytes: bodyBytes, maxBodyBytes: bodyBytes });
  const turn = { holder: "a", signal: new AbortController().signal };
  after(async () => {
    await intake.close();
    folder.remove();
  });

  /** In seconds of the whole process, the least of some. */
  const cpuOf = async (body: string): Promise<number> => {
    const path = join(folder.path, "body");
    await writeFile(path, body);
    const times: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      const before = process.cpuUsage();
      await intake.readFile(path, turn);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1e6);
    }
    return Math.min(...times);
  };

  before(() => cpuOf(plain));
  for (const [what, body] of Object.entries(shapes))
    it(`is as much as a push of that size, within a factor: ${what}`, async () => {
      expect(Buffer.byteLength(body)).to.be.within(0.7 * bodyBytes, 1.3 * bodyBytes);
      const [ordinary, cpu] = [await cpuOf(plain), await cpuOf(body)];
      expect(cpu, `an ordinary push takes ${ordinary} s`).to.be.below(mostCpu * ordinary);
    });
});
