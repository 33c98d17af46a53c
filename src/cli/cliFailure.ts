import { UnusableDataFolder } from "../shared/failures.js";

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

interface Address {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
}

type Explanation = (address: Address) => string;

const unwritable: Explanation = ({ dataDir }) =>
  `The data folder ${dataDir} cannot be written. Set DATA_DIR to a folder that the service may create and write.`;

const noSuchAddress: Explanation = ({ host }) =>
  `This machine has no address ${host} to listen on. Set HOST, for instance to 127.0.0.1 or 0.0.0.0.`;

const full: Explanation = ({ dataDir }) => `The disk that holds ${dataDir} is full. Make room, and start again.`;
const damaged: Explanation = ({ dataDir }) =>
  `log.sqlite in ${dataDir} is damaged. Restore it from a backup: nothing else holds what it holds, and everything else is rebuilt from it.`;

const unreadable: Explanation = ({ dataDir }) =>
  `The disk that holds ${dataDir} does not read or write a file of the service. The system's log says more. If the disk is broken, restore a backup on another one.`;

/** By an error's code, or what the code of an error of SQLite begins with. */
const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken by another program. Stop that one, or choose another port: PORT=${port + 1}`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
  EACCES: ({ port, dataDir }) =>
    `The service may not listen on port ${port}, or may not write to ${dataDir}. Choose a PORT from 1024 on and a DATA_DIR that it owns.`,
  ENOSPC: full,
  SQLITE_FULL: full,
  SQLITE_IOERR_SHMSIZE: full,
  ENOTDIR: unwritable,
  EEXIST: unwritable,
  ENOENT: unwritable,
  EROFS: unwritable,
  SQLITE_CANTOPEN: unwritable,
  SQLITE_READONLY: unwritable,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_IOERR: unreadable,
};

/**
 * Says in a sentence why the data folder or the address could not be opened, where the error's code tells; otherwise
 * the error itself.
 */
export function explainStartFailure(error: unknown, address: Address): unknown {
  if (error instanceof UnusableDataFolder) return usageFailure(error.message);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const explanation = explanations[code] ?? explanations[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ""];
  return explanation === undefined ? error : new CliFailure(explanation(address));
}
