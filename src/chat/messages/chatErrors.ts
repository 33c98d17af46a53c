import { json } from "typia";
import type { ChatFailure } from "../chat.js";
import type { Refusal } from "../../http/refusedRequest.js";
import { answerMessage } from "../../http/validation/message.js";
import type { IssueAnswer } from "../../http/messages/errors.js";

/** What the clients of the compatible API show of a failure. */
export interface CompatibleError {
  message: string;
  type: string;
  /** The key of the request that it is about. */
  param: string | null;
  /** What programs know it by. */
  code: string | null;
}

/** A failure below the compatible API's base: the service's own envelope, and the one that usual clients read. */
interface CompatibleErrorAnswer {
  detail: string;
  error: CompatibleError;
}

/** The same for a request that breaks a rule. */
interface CompatibleValidationErrorAnswer {
  detail: IssueAnswer[];
  error: CompatibleError;
}

export const compatibleErrorAnswer = answerMessage(json.schema<CompatibleErrorAnswer>());
export const compatibleValidationErrorAnswer = answerMessage(json.schema<CompatibleValidationErrorAnswer>());

const types: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
]);

const codes: ReadonlyMap<number, string> = new Map([
  [401, "invalid_api_key"],
  [404, "not_found"],
  [422, "invalid_request"],
  [429, "rate_limit_exceeded"],
  [501, "not_implemented"],
]);

const typeOf = (status: number): string =>
  types.get(status) ?? (status >= 500 ? "server_error" : "invalid_request_error");

/** The second envelope, made from the first: a sentence, or what is wrong with a request. */
export function compatibleError(status: number, detail: unknown): CompatibleError {
  const code = codes.get(status) ?? null;
  if (!Array.isArray(detail)) return { message: String(detail), type: typeOf(status), param: null, code };
  const issues = detail as readonly IssueAnswer[];
  const [first] = issues;
  const message = issues.map(({ loc, msg }) => `${placeOf(loc)}: ${msg}`).join("; ");
  return { message, type: typeOf(status), param: first === undefined ? null : placeOf(first.loc), code };
}

/** `["body", "messages", 0, "role"]` → `messages.0.role`. */
const placeOf = (loc: IssueAnswer["loc"]): string => loc.slice(1).join(".") || String(loc[0] ?? "");

/** What a failed chat is answered with, or told of on its way. */
function toCompatibleError({ failure }: ChatFailure): CompatibleError {
  const { status, message, code, param = null } = failure;
  return { message, type: typeOf(status), param, code };
}

/** The answer of a chat that failed before anything of it had left. */
export function refusalOfChat(failed: ChatFailure): Refusal {
  const { status, message, retryAfter } = failed.failure;
  return {
    status,
    body: { detail: message, error: toCompatibleError(failed) },
    headers: retryAfter === undefined ? {} : { "Retry-After": retryAfter },
  };
}
