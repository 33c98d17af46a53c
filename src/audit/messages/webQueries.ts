import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { answerMessage } from "../../http/validation/message.js";
import type { Email } from "../../shared/ids.js";
import { optional, userInQuery } from "./auditParameters.js";
import { HistoryParameters } from "./historyParameters.js";
import { pageParameters } from "./questions.js";

/** Which web queries are wanted of those that have left. */
export interface AskWebQueries {
  /** null: anybody's. */
  readonly user: Email | null;
  /** From this position of the log on. */
  readonly from: number;
  readonly count: number;
}

/** Queries that left the service for the web. */
export interface SentWebQueries {
  /** The position of the event that records it. */
  position: string;
  /** ISO instant. */
  time: string;
  /** The credential that asked. */
  by: string;
  /** The person for whom they left. */
  user: string;
  /** Which answer they were for. */
  answer: string;
  /** null: the tenant's default. */
  mode: "search" | "context" | "thirdparty" | null;
  queries: string[];
}

/** A page of them, in the order of the log. */
export interface WebQueriesAnswer {
  items: SentWebQueries[];
  /** Sent as `from`, it brings the next page; missing on the last. */
  next?: string;
}

const names = ["user", "from", "count"];

/** The parameters of `GET /api/audit/web-queries`. */
export const askWebQueries: QueryParameters<AskWebQueries> = {
  parameters: [optional(userInQuery), ...pageParameters],
  check: (parameters) => {
    const given = new HistoryParameters(parameters, names);
    return given.checked({
      user: given.has("user") ? given.user("user") : null,
      from: given.has("from") ? given.event("from") : 0,
      count: given.count(),
    });
  },
};

export const webQueriesAnswer = answerMessage(json.schema<WebQueriesAnswer>());
