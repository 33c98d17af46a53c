/** 1: it was tried and failed. 2: it was asked for in a way that cannot be done (arguments, settings). */
export type FailureCode = 1 | 2;

/** Ends a command: its message is a sentence for the person at the terminal, its code the exit code. */
export class CliFailure extends Error {
  override readonly name = "CliFailure";

  constructor(
    message: string,
    readonly exitCode: FailureCode = 1,
  ) {
    super(message);
  }
}

/** The person asked in a way that cannot be done; nothing was tried. */
export const usageFailure = (message: string): CliFailure => new CliFailure(message, 2);
