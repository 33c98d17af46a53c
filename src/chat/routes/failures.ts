import { unavailable } from "../../http/envelopes.js";
import { RefusedRequest, type Refusal } from "../../http/refusedRequest.js";
import { ReadModelUnavailable } from "../../shared/readModelUnavailable.js";
import { ChatFailure } from "../chatFailure.js";
import { compatibleError, refusalOfChat, type CompatibleError } from "../messages/chatErrors.js";

/** What an expected failure is answered with; null: nobody expects it. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ChatFailure) return refusalOfChat(error);
  if (error instanceof RefusedRequest) return error.refusal;
  return error instanceof ReadModelUnavailable ? unavailable(error) : null;
}

/** The same where a part of the answer has left already. */
export function errorOf(refusal: Refusal | null): CompatibleError {
  if (refusal === null)
    return compatibleError(500, "Something went wrong inside the service. It is safe to ask again.");
  const { detail, error } = refusal.body as { readonly detail: unknown; readonly error?: CompatibleError };
  return error ?? compatibleError(refusal.status, detail);
}
