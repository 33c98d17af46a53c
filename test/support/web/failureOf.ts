import { WebSearchUnavailable } from "../../../src/shared/failures.js";

/** What a search was refused with. Fails where it was not. */
export async function failureOf(
  search: Promise<unknown>,
): Promise<{ message: string; retryAfterSeconds: number | null }> {
  const outcome = await search.then(
    (value) => new Error(`It was answered: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof WebSearchUnavailable)) throw outcome;
  return { message: outcome.message, retryAfterSeconds: outcome.retryAfterSeconds };
}
