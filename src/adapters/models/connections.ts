import { Agent } from "undici";

const connectTimeoutMs = 5_000;

/**
 * Connections to one server of models. In a file of its own, so that nothing of undici is loaded before one is needed.
 */
export const openConnections = (timeoutMs: number): Agent =>
  new Agent({ connect: { timeout: connectTimeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
