import Mocha from "mocha";
import { runSeed } from "./propertyRuns.js";

const { EVENT_RUN_END, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** How long what a test left running may take to end by itself. */
const graceMs = 10_000;

/**
 * Mocha's `spec`, followed by what was skipped, the seed of random data, and one line that machines can read: `N
 * passed, N failed`. A suite that skips itself says why in its title, so the list below the summary is the list of
 * reasons. A run that does not end by itself, because a test left something running, is ended as a failure.
 */
export default class SummaryReporter extends Mocha.reporters.Spec {
  private readonly skipped = new Map<string, number>();

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on(EVENT_TEST_PENDING, (test: Mocha.Test) => this.noteSkipped(test));
    runner.once(EVENT_RUN_END, () => this.printTotals());
  }

  private noteSkipped(test: Mocha.Test): void {
    const title = test.parent?.fullTitle() || test.fullTitle();
    this.skipped.set(title, (this.skipped.get(title) ?? 0) + 1);
  }

  private printTotals(): void {
    for (const [title, tests] of this.skipped) process.stdout.write(`skipped: ${title} (${tests} tests)\n`);
    process.stdout.write(`random data: FC_SEED=${runSeed}\n`);
    process.stdout.write(`${this.stats.passes} passed, ${this.stats.failures} failed\n`);
    setTimeout(() => {
      process.stderr.write(
        "A test left something running (a server, a thread, a timer), so that the run had to be ended.\n",
      );
      process.exit(1);
    }, graceMs).unref();
  }
}
