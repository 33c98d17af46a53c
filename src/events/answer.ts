import type { AnswerId, Email } from "../shared/ids.js";

/**
 * A search of the web left the service for a person (docs/design/chat-and-web.md). The metadata says who sent the
 * request, and when.
 */
export interface WebQuerySent {
  readonly type: "WebQuerySent";
  readonly data: {
    readonly answerId: AnswerId;
    readonly person: Email;
    /** null: the tenant's default. */
    readonly mode: "search" | "context" | "thirdparty" | null;
    /** The queries as they left. */
    readonly queries: readonly string[];
  };
}

/** Stream `answer-{id}`: what left the service for one answer. It decides nothing, and no projection follows it. */
export type AnswerEvent = WebQuerySent;

export const answerEventTypes: Readonly<Record<AnswerEvent["type"], true>> = {
  WebQuerySent: true,
};
