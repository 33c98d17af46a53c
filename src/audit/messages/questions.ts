import { json } from "typia";
import type { AuditQuestionKind } from "../../events/auditQuestion.js";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { answerMessage } from "../../http/validation/message.js";
import { optional, userInQuery } from "./auditParameters.js";
import { HistoryParameters, historyPageSizes } from "./historyParameters.js";
import type { Email } from "../../shared/ids.js";

/** Which answers are wanted of those that were given about the past, and about other people. */
export interface AskQuestions {
  /** null: by anybody. */
  readonly by: string | null;
  /** null: about anybody. */
  readonly user: Email | null;
  /** From this position of the log on. */
  readonly from: number;
  readonly count: number;
}

/** An answer that was given. */
export interface AnsweredQuestion {
  /** The position of the event that records it. */
  position: string;
  /** ISO instant. */
  time: string;
  /** The credential that asked; `operator` for the command line. */
  by: string;
  question: AuditQuestionKind;
  about: {
    user?: string;
    /** `{datasource}/{id}` */
    document?: string;
    /** `{datasource}/{name}` */
    group?: string;
    /** The position of an event. */
    event?: string;
  };
  /** The position as of which it was answered; of an export, its end. */
  as_of: string;
}

/** A page of them, in the order of the log. */
export interface QuestionsAnswer {
  items: AnsweredQuestion[];
  /** Sent as `from`, it brings the next page; missing on the last. */
  next?: string;
}

const { minimum, maximum, otherwise } = historyPageSizes;
const names = ["by", "user", "from", "count"];

/** Which page of a list in the order of the log. */
export const pageParameters: QueryParameters<never>["parameters"] = [
  inQuery("from", "From this position of the log on. Left out: from its beginning."),
  inQuery("count", "Items on a page, at most.", { type: "integer", minimum, maximum, default: otherwise }),
];

/** The parameters of `GET /api/audit/questions`. */
export const askQuestions: QueryParameters<AskQuestions> = {
  parameters: [inQuery("by", "Only what was asked with this credential."), optional(userInQuery), ...pageParameters],
  check: (parameters) => {
    const given = new HistoryParameters(parameters, names);
    return given.checked({
      by: parameters.get("by")?.at(-1) ?? null,
      user: given.has("user") ? given.user("user") : null,
      from: given.has("from") ? given.event("from") : 0,
      count: given.count(),
    });
  },
};

export const questionsAnswer = answerMessage(json.schema<QuestionsAnswer>());
