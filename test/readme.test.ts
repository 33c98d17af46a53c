import { expect } from "chai";
import { documentLimitMs, firstUnprinted, runDocument } from "./support/documentedCommands.js";

interface Documented {
  /** What is not run as it is written, and why. Everything else in the document's blocks is. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** Run before everything else. */
  readonly before?: string;
  /** What has to be printed somewhere, besides what the document shows. */
  readonly printed: readonly string[];
}

const untilReady = "until curl -sf $URL/health/ready > /dev/null; do :; done # in another terminal";

/** Spares the second that npx takes to find it. */
const program = 'npx() { shift; node bin/enterprise-search.js "$@"; }';

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
  "docs/auditing.md": {
    otherwise: {
      "npm run demo -- --once --data demo-data":
        "node dist/demo/main.js --once --data demo-data --port 0 # it is built already",
      "npm start": `node bin/enterprise-search.js serve > server.log & ${untilReady}, and it is built already`,
    },
    before: program,
    printed: [],
  },
  "docs/operations.md": {
    otherwise: {
      "npm run demo -- --once --data demo-data":
        "node dist/demo/main.js --once --data demo-data --port 0 # it is built already",
    },
    before: program,
    printed: [],
  },
};

for (const [file, { otherwise, before, printed }] of Object.entries(documents)) {
  describe(`the commands of ${file}`, () => {
    it("work, in the order in which they are written, and print what is shown", async function () {
      this.timeout(documentLimitMs + 30_000);
      const { code, output, steps } = await runDocument(file, { otherwise, before });
      expect(code, output).to.equal(0);
      expect(steps.length).to.be.greaterThan(4);
      for (const step of steps)
        expect(firstUnprinted(step), `${step.command} printed:\n${step.printed}`).to.equal(null);
      for (const text of printed) expect(output).to.contain(text);
    });
  });
}
