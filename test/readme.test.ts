import { expect } from "chai";
import { documentLimitMs, firstUnprinted, runDocument } from "./support/documentedCommands.js";

interface Documented {
  /** What is not run as it is written, and why. Everything else in the document's blocks is. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** What has to be printed somewhere, besides what the document shows. */
  readonly printed: readonly string[];
}

const untilReady = "until curl -sf $URL/health/ready > /dev/null; do :; done # in another terminal";

const documents: Readonly<Record<string, Documented>> = {
  "README.md": {
    otherwise: {
      "npm ci": ": # the copy has the installed packages already",
      "npm test": ": # this is a part of it",
      "npm run demo": "npm run demo -- --once # else it goes on until Ctrl-C",
      "npm start": `npm start > server.log & ${untilReady}`,
    },
    printed: ["wiki__leave.md", '"has_access":false'],
  },
};

for (const [file, { otherwise, printed }] of Object.entries(documents)) {
  describe(`the commands of ${file}`, () => {
    it("work, in the order in which they are written, and print what is shown", async function () {
      this.timeout(documentLimitMs + 30_000);
      const { code, output, steps } = await runDocument(file, otherwise);
      expect(code, output).to.equal(0);
      expect(steps.length).to.be.greaterThan(4);
      for (const step of steps) expect(firstUnprinted(step), `${step.command} printed:\n${step.printed}`).to.equal(null);
      for (const text of printed) expect(output).to.contain(text);
    });
  });
}
