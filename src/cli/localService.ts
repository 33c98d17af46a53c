import { resolve } from "node:path";
import { readConfig, type Config } from "../config.js";
import { createLogger } from "../logging.js";
import { mintOperatorCredential } from "../shared/credential.js";
import { usageFailure } from "./cliFailure.js";
import { explainStartFailure } from "./startFailure.js";
import type { Terminal } from "./terminal.js";

/** The settings from the environment. Fails with every setting that is wrong, by name. */
export function loadConfig({ environment, printsToTerminal }: Terminal): Config {
  const config = readConfig({
    ...environment,
    LOG_FORMAT: environment["LOG_FORMAT"] || (printsToTerminal ? "pretty" : ""),
  });
  if (config.ok) return config.value;
  throw usageFailure(["The settings are not valid:", ...config.error.map((problem) => `  ${problem}`)].join("\n"));
}

/** A service in this process, and what its only client needs. */
export interface LocalService {
  readonly url: string;
  readonly dataDir: string;
  /** Takes everything; made for this process and known to it alone. */
  readonly credential: string;
  /** Resolves once what dropped versions have stored is freed. */
  freed(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a server on the same folder has to begin a rebuild before this process does. */
const serversTurnMs = 2_000;

/** What a command does with the service of the data folder. */
export interface LocalUse {
  /** Whether read models are brought up to date too; else it answers from what is there. */
  readonly projecting: boolean;
  /** `make`: a folder without data is where the service begins; `find`: there has to be data already. */
  readonly folder: "make" | "find";
}

/**
 * Starts the service of DATA_DIR in this process, on a free port of this machine alone, beside a running server or not.
 */
export async function startLocalService(terminal: Terminal, { projecting, folder }: LocalUse): Promise<LocalService> {
  const config = loadConfig(terminal);
  // Loaded only when it is needed, so that help and mistakes are answered at once.
  const { startService } = await import("../main.js");
  const credential = mintOperatorCredential();
  const service = await startService(
    { ...config, role: projecting ? "all" : "api", host: "127.0.0.1", port: 0 },
    createLogger({ ...config, logLevel: "error", logTo: "stderr" }),
    {
      ...{ operatorCredential: credential, rebuildsBeginAfterMs: serversTurnMs, folder },
      mayBeBehind: !projecting,
      expiresFiles: false,
      isPatient: true,
    },
  ).catch((error: unknown) => {
    throw explainStartFailure(error, config);
  });
  const dataDir = resolve(config.dataDir);
  return { url: service.url, dataDir, credential, freed: () => service.freed(), stop: () => service.stop() };
}
