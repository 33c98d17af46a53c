import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporaryFolder.js";

const demo = fileURLToPath(new URL("../../demo/main.js", import.meta.url));

describe("the demo", function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => (folder = temporaryFolder("demo").path));
  after(() => rm(folder, { recursive: true, force: true }));

  it("tells who sees what and why, stays to be tried, and ends with Ctrl-C without leaving anything behind", async () => {
    const child = spawn(process.execPath, [demo, "--port", "0"], {
      env: { PATH: process.env["PATH"], TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    let output = "";
    const invited = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("Ctrl-C ends")) resolve();
      });
    });
    await Promise.race([invited, closed]);
    const [, url = ""] = /running at (http:\S+)/.exec(output) ?? [];
    const [, key = ""] = /personal key +(amber_key_\S+)/.exec(output) ?? [];
    const answer = await fetch(`${url}/api/beta/search?query=koa`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).to.equal(200);
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect({ code: (await closed)[0] as number | null, errors }).to.deep.equal({ code: 0, errors: "" });
    expect(await readdir(folder)).to.deep.equal([]);
    expectTold(output.slice(0, output.indexOf("The service is running at")));
  });
});

function expectTold(output: string): void {
  expect(output).to.match(/Ada +is in sqlite-crew ⊂ databases ⊂ engineering/);
  expect(output).to.match(/\d{3,} documents on disk after .*, all searchable .* later\./);
  expect(output).to.match(/Ada +yes +Ada is in sqlite-crew, which is in databases, which the document names\./);
  expect(output).to.match(/Ben +no +Ben is in koa-crew, web and engineering; the document names databases\./);
  expect(output).to.match(/Ben +yes +Ben is in koa-crew, which is in web, which the document names\./);
  expect(output).to.match(
    /sqlite-crew leaves databases[\s\S]*before +\d+ hits +better-sqlite3\/README\.md[\s\S]*Ada +no +Ada is in sqlite-crew; the document names databases\./,
  );
  expect(output).to.match(/hotel in Munich\?”(\n +(Ada|Ben|Cleo) +company\/travel-expenses\.docx){3}/);
  expect(output).to.match(/Ben +finds no such file\n +Cleo +company\/office-lease\.pdf/);
  expect(output).to.match(/Ben +company\/outage-report\.eml\n +Cleo +finds no such file/);
  expect(output).to.match(
    /quotes what Cleo may see[\s\S]*\[1\] [\s\S]*Dogs are allowed[\s\S]*Streamed in .*:\n {2}\[1\] /,
  );
  expect(output).not.to.match(/amber_|\p{Cc}\[/u);
}
