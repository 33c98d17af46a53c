import { retryAfterMs } from "../shared/retryAfter.js";
import { ChatFailure } from "./chatFailure.js";
import { UpstreamFailure, type UpstreamTrouble } from "./ports/modelUpstream.js";

type Told = Pick<ChatFailure["failure"], "status" | "code" | "param" | "retryAfter">;

const told: Readonly<Record<UpstreamTrouble, Told>> = {
  unavailable: { status: 503, code: "upstream_unavailable" },
  silent: { status: 504, code: "upstream_timeout" },
  rateLimited: { status: 429, code: "rate_limit_exceeded" },
  contextOverflow: { status: 400, code: "context_length_exceeded", param: "messages" },
  broken: { status: 502, code: "upstream_error" },
};

/** What whoever asked is told of a failure of the model's server; anything else stays what it is. */
export function toChatFailure(error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  const { trouble, message, retryAfter } = error;
  const failure = { message, ...told[trouble] };
  // In words of our own: what a server writes need be no header.
  const waitMs = retryAfterMs(retryAfter ?? undefined);
  return new ChatFailure(waitMs === null ? failure : { ...failure, retryAfter: String(Math.ceil(waitMs / 1_000)) });
}
