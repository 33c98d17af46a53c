import type { AuditQuestionAnswered } from "../../events/auditQuestion.js";
import { commandContextOf, type ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import type { DocumentReference } from "../auditFacts.js";
import { documentName, type AskHistory, type HistoryQuestion } from "../historyQuestions.js";

type Answered = AuditQuestionAnswered["data"];

/**
 * Records what is about to be answered. Throws where the log takes nothing: an audit that leaves no trace is none, so
 * the answer is not given.
 */
export async function recordQuestion(context: ApiContext, answered: Answered, isLaterPage = false): Promise<void> {
  const { commands } = context.services;
  valueOf(await commands.recordAuditQuestion({ answered, isLaterPage }, commandContextOf(context)));
}

/** The question as it is recorded. `position` is that of its answer. */
export function answeredHistory({ question }: AskHistory, position: string): Answered {
  return { ...subjectOf(question), asOf: position };
}

function subjectOf(question: HistoryQuestion): Pick<Answered, "question" | "about"> {
  switch (question.kind) {
    case "who":
      return { question: "who", about: documentOf(question) };
    case "what":
    case "visibleDocuments":
      return { question: "what", about: { user: question.user } };
    case "documentTimeline":
      return { question: "history", about: documentOf(question) };
    case "userTimeline":
      return { question: "history", about: { user: question.user } };
    case "groupTimeline":
      return { question: "history", about: { group: { datasource: question.datasource, name: question.group } } };
    case "effective":
      return {
        question: "history",
        about: {
          ...(question.user !== null && { user: question.user }),
          ...(question.document !== null && documentOf(question.document)),
        },
      };
    case "exposureOfEvent":
      return { question: "exposure", about: { event: String(question.event) } };
    case "exposureOfGrant":
      return { question: "exposure", about: documentOf(question) };
    case "difference":
      return { question: "what-if", about: {} };
    default:
      return question satisfies never;
  }
}

const documentOf = ({ datasource, documentId }: DocumentReference): { readonly document: string } => ({
  document: documentName(datasource, documentId),
});
