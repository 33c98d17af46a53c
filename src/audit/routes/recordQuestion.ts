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
      return { question: "who", about: namedDocument(question) };
    case "what":
    case "visibleDocuments":
      return { question: "what", about: { user: question.user } };
    case "documentTimeline":
      return { question: "history", about: namedDocument(question) };
    case "userTimeline":
      return { question: "history", about: { user: question.user } };
    case "groupTimeline":
      return { question: "history", about: { group: { datasource: question.datasource, name: question.group } } };
    case "effective":
      return { question: "history", about: pairOf(question) };
    case "links":
      return { question: kindOfLinks(question), about: pairOf(question) };
    case "linksOfGroup":
      return { question: "who", about: { group: { datasource: question.datasource, name: question.group } } };
    case "changes":
      return { question: "history", about: pairOf(question) };
    case "exposureOfEvent":
      return { question: "exposure", about: { event: String(question.event) } };
    case "exposureOfGrant":
      return { question: "exposure", about: namedDocument(question) };
    case "difference":
      return { question: "what-if", about: {} };
    default:
      return question satisfies never;
  }
}

type Pair = Pick<Extract<HistoryQuestion, { readonly kind: "links" }>, "document" | "user">;

/** Links tell who sees a document, what a person sees, or whether one sees the other, as other questions do. */
function kindOfLinks({ document, user }: Pair): Answered["question"] {
  if (document === null) return "what";
  return user === null ? "who" : "access";
}

const pairOf = ({ document, user }: Pair): Answered["about"] => ({
  ...(user !== null && { user }),
  ...(document !== null && namedDocument(document)),
});

const namedDocument = ({ datasource, documentId }: DocumentReference): { readonly document: string } => ({
  document: documentName(datasource, documentId),
});
