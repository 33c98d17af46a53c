import type { Command } from "commander";
import { parseHttpUrl } from "./arguments.js";

/** Adds `--url`, by which a command uses a service that runs already. `keyOf`: whose key it takes, as in "an auditor". */
export const withUrlOption = (command: Command, keyOf: "an operator" | "an auditor"): Command =>
  command.option(
    "--url <address>",
    `use a running service, with the key of ${keyOf} in ENTERPRISE_SEARCH_KEY, instead of the data folder`,
    parseHttpUrl,
  );
