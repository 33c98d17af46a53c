import { UnusableDataFolder } from "../shared/unusableDataFolder.js";
import { CliFailure, usageFailure } from "./cliFailure.js";

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

const explanations: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken by another program. Stop that one, or choose another port: PORT=${port + 1}`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
  EACCES: ({ port, dataDir }) =>
    `The service may not listen on port ${port}, or may not write to ${dataDir}. Choose a PORT from 1024 on and a DATA_DIR that it owns.`,
  ENOSPC: full,
  SQLITE_FULL: full,
  ENOTDIR: unwritable,
  EEXIST: unwritable,
  ENOENT: unwritable,
  EROFS: unwritable,
  SQLITE_CANTOPEN: unwritable,
  SQLITE_READONLY: unwritable,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
};

/**
 * Says in a sentence why the data folder or the address could not be opened, where the error's code tells; otherwise
 * the error itself.
 */
export function explainStartFailure(error: unknown, address: Address): unknown {
  if (error instanceof UnusableDataFolder) return usageFailure(error.message);
  const explanation = explanations[(error as NodeJS.ErrnoException).code ?? ""];
  return explanation === undefined ? error : new CliFailure(explanation(address));
}
