import { CliFailure } from "./cliFailure.js";
import { withoutTrailing } from "../shared/cutText.js";

/** A service that is well answers in milliseconds; a person should know within five seconds. */
const patienceMs = 4_500;

/**
 * Fails, in a sentence and soon, where no service answers at the address: a wrong one is not worth the patience with
 * which requests are repeated while a service starts again.
 */
export async function ensureReachable(
  url: string,
  signal: AbortSignal,
  { withinMs = patienceMs }: { readonly withinMs?: number } = {},
): Promise<void> {
  const timeout = AbortSignal.timeout(withinMs);
  try {
    const answer = await fetch(`${withoutTrailing(url, "/")}/health/live`, {
      signal: AbortSignal.any([signal, timeout]),
    });
    await answer.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted ? `nothing came in ${withinMs / 1_000} seconds` : causeOf(error);
    throw new CliFailure(`No service answers at ${url} (${reason}). Is it running there, and is the address right?`);
  }
}

/** Why a request was not answered, as the system calls it, such as `ECONNREFUSED`. */
export function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
