import { expect } from "chai";
import { documentLimitMs, firstUnprinted, runDocument } from "./documentedCommands.js";

/** What a document's commands need besides what is written in it. */
interface Documented {
  /** What is not run as it is written, and why. Everything else in the document's blocks is. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** Bash that is run before everything else; asked for when it is run. */
  before?(): string;
  /** What has to be printed somewhere, besides what the document shows. */
  readonly printed: readonly string[];
}

/** Until the service that a document starts in another terminal is ready. */
export const untilReady = "until curl -sf $URL/health/ready > /dev/null; do sleep 0.05; done # in another terminal";

/** Runs what a document shows, and holds what it prints to what is shown. */
export function describeCommandsOf(file: string, { otherwise, before, printed }: Documented): void {
  describe(`the commands of ${file}`, () => {
    it("work, in the order in which they are written, and print what is shown", async function () {
      this.timeout(documentLimitMs + 30_000);
      const { code, output, steps } = await runDocument(file, { otherwise, before: before?.() });
      expect(code, output).to.equal(0);
      expect(steps.length).to.be.greaterThan(4);
      for (const step of steps)
        expect(firstUnprinted(step), `${step.command} printed:\n${step.printed}`).to.equal(null);
      for (const text of printed) expect(output).to.contain(text);
    });
  });
}
