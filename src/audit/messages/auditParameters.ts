import { json } from "typia";
import type { DocumentReference, Moment, AccessAnswer, AskAccess } from "../auditQueries.js";
import { toDatasourceName, toDocumentId, toEmail, type Email } from "../../shared/ids.js";
import { epochMilliseconds } from "../../shared/instant.js";
import { toPosition } from "../../shared/position.js";
import { ok } from "../../shared/result.js";
import { tooShort, valueError } from "../../http/validation/issue.js";
import {
  orElse,
  required,
  strictQueryOf,
  textIssue,
  textParameter,
  textRules,
  type Given,
  type Parameter,
} from "../../http/validation/parameters.js";
import { type Checked, answerMessage } from "../../http/validation/message.js";

/** No date is written in digits alone. */
const wholeNumber = /^\d{1,18}$/;

/** The ending of times that were printed for people. */
const utcSuffix = / UTC$/;

/** A login email, in any case; null where it is left out. */
export const user = (description: string): Parameter<Email | null> =>
  textParameter(description, (text, given) => {
    const email = toEmail(text);
    given.refuseValue((loc) => (email === "" ? null : textIssue(loc, text, textRules.email)));
    if (email === "") given.refuse((loc) => tooShort(loc, 1));
    return email;
  });

const wrongDocument =
  "a document is written as {datasource}/{id} or {datasource}__{id}, such as handbook/travel-2024.md";

/** A document as `{datasource}/{id}`, or as `{datasource}__{id}`, which is its id in search results. */
const document = (description: string): Parameter<DocumentReference | null> =>
  textParameter(description, (text, given) => {
    const [, datasource = text, documentId = ""] = /^(.*?)(?:\/|__)(.*)$/s.exec(text) ?? [];
    const isOne =
      textIssue([], datasource, textRules.slug) === null && textIssue([], documentId, textRules.documentId) === null;
    if (!isOne) given.refuseValue((loc) => valueError(loc, wrongDocument));
    return { datasource: toDatasourceName(datasource), documentId: toDocumentId(documentId) };
  });

/** An ISO time, a consistency token or the position of an event; now where it is left out. */
export const moment = (description: string): Parameter<Moment> => ({
  ...orElse(textParameter<Moment>(description, readMoment), { kind: "now" }),
  isMoment: true,
});

function readMoment(text: string, given: Given): Moment {
  if (wholeNumber.test(text)) return { kind: "position", position: toPosition(BigInt(text)) };
  const time = epochMilliseconds(text.replace(utcSuffix, "Z"));
  if (time === null)
    given.refuseValue((loc) =>
      valueError(loc, "a moment is an ISO 8601 time, a consistency token of this service or the position of an event"),
    );
  return { kind: "time", time: time ?? 0 };
}

/** The person and the document that a question is about, where others may stand for them, and its moment. */
export const aboutWhom = {
  document: document("A document, as `{datasource}/{id}` or as `{datasource}__{id}`."),
  user: user("A login email; not case-sensitive."),
};
export const momentParameter = moment(
  "An ISO 8601 time, a consistency token or the position of an event; left out: now.",
);

/** The parameters of `GET /api/audit/access`. */
export const accessQuestion = strictQueryOf(
  { user: required(aboutWhom.user), document: required(aboutWhom.document), at: momentParameter },
  (given): Checked<AskAccess> => ok({ user: given.user, ...given.document, at: given.at }),
);

export const accessAnswer = answerMessage(json.schema<AccessAnswer>());
