import { readConfig, type Config } from "../../src/config.js";

/** No search of a test is to be cut short because the machine is busy, and no test is to fill the disk. */
export const undisturbed = { SEARCH_BUDGET_MS: "60000", DISK_RESERVE_BYTES: "0" };

/** The settings of a service under test; the environment of the test run has no say. */
export function testConfig(settings: NodeJS.ProcessEnv): Config {
  const config = readConfig({ HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", ...undisturbed, ...settings });
  if (!config.ok) throw new Error(config.error.join("\n"));
  return config.value;
}
