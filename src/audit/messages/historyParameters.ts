import { json } from "typia";
import type {
  AskHistory,
  GrantTarget,
  HistoryQuestion,
  VisibilityAnswer,
  WhoAnswer,
  WhatAnswer,
  ChangesAnswer,
  LinksAnswer,
  TimelineAnswer,
} from "../historyQuestions.js";
import { toDatasourceName, toEmail, toGroupName, type DatasourceName } from "../../shared/ids.js";
import { parsePageToken, type PageToken } from "../../shared/pageToken.js";
import { failed, ok } from "../../shared/result.js";
import { missing, valueError } from "../../http/validation/issue.js";
import {
  choiceOr,
  flag,
  integer,
  required,
  strictQueryOf,
  textIssue,
  textParameter,
  textRules,
  wrongQuestion,
  type Parameter,
} from "../../http/validation/parameters.js";
import { aboutWhom, momentParameter } from "./auditParameters.js";
import { type Checked, answerMessage } from "../../http/validation/message.js";

/** Items on one page of an answer about the past. */
export const historyPageSizes = { minimum: 1, maximum: 1_000, default: 100 } as const;

/** Where the page before ended; null for the first. */
export const nextPage = (description: string): Parameter<PageToken | null> =>
  textParameter<PageToken | null>(description, (text, given) => {
    const token = parsePageToken(text);
    if (token === null)
      given.refuseValue((loc) => valueError(loc, "the value must be the `next` of an answer to the same question"));
    return token;
  });

/** The parameters that every such question has. */
const page = {
  at: momentParameter,
  count: integer(
    "Items on a page, at most: one that takes long to fill ends early, even empty, and `next` goes on.",
    historyPageSizes,
  ),
  next: nextPage(
    "The `next` of the page before: pages of one answer are all as of the same moment, whatever happens meanwhile.",
  ),
};

/** A group as `{datasource}/{name}`; its name may hold slashes of its own. */
const group = (
  description: string,
): Parameter<{ readonly datasource: DatasourceName; readonly group: string } | null> =>
  textParameter(description, (text, given) => {
    const [, datasource = text, name = ""] = /^([^/]*)\/(.*)$/s.exec(text) ?? [];
    const isOne =
      name !== "" &&
      textIssue([], datasource, textRules.slug) === null &&
      textIssue([], name, textRules.groupName) === null;
    if (!isOne)
      given.refuseValue((loc) => valueError(loc, "a group is written as {datasource}/{name}, such as handbook/staff"));
    return { datasource: toDatasourceName(datasource), group: toGroupName(name) };
  });

/** The position of an event, in decimal digits. */
export const eventPosition = (description: string): Parameter<number | null> =>
  textParameter(description, (text, given) => {
    const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(position <= Number.MAX_SAFE_INTEGER))
      given.refuseValue((loc) => valueError(loc, "an event is named by its position, a whole number"));
    return position;
  });

/** The person or group that a grant is for. */
const grantTarget = textParameter<GrantTarget>(
  "Of the document: `anonymous`, `user:{email}` or `group:{name}`.",
  (text, given) => {
    const [, kind, who = ""] = /^(user|group):(\S+)$/.exec(text) ?? [];
    if (kind === "user") return { kind, email: toEmail(who) };
    if (kind === "group") return { kind, name: toGroupName(who) };
    if (text !== "anonymous")
      given.refuseValue((loc) => valueError(loc, "a grant is for anonymous, user:{email} or group:{name}"));
    return { kind: "anonymous" };
  },
);

type PageAsked = Pick<AskHistory, "at" | "count" | "next">;

const asked = ({ at, count, next }: PageAsked, question: HistoryQuestion): Checked<AskHistory> =>
  ok({ question, at, next, count });

export const visibilityAnswer = answerMessage(json.schema<VisibilityAnswer>());

/** The parameters of `GET /api/audit/who`. */
export const whoQuestion = strictQueryOf({ document: required(aboutWhom.document), ...page }, (given) =>
  asked(given, { kind: "who", ...given.document }),
);

export const whoAnswer = answerMessage(json.schema<WhoAnswer>());

/** The parameters of `GET /api/audit/what`. */
export const whatQuestion = strictQueryOf({ user: required(aboutWhom.user), ...page }, (given) =>
  asked(given, { kind: "what", user: given.user }),
);

export const whatAnswer = answerMessage(json.schema<WhatAnswer>());

/** The parameters of `GET /api/audit/links`: a document, a person, both, or a group. */
export const linksQuestion = strictQueryOf(
  {
    ...aboutWhom,
    group: group("A group, as `{datasource}/{name}`."),
    of: choiceOr(
      "Of the group: its people, or the documents that grant it something.",
      ["people", "documents"] as const,
      "people",
    ),
    ...page,
  },
  (given) => {
    const { document, user, group: fan, of } = given;
    if ((fan !== null) === (document !== null || user !== null))
      return wrongQuestion("name a document, a user, both, or a group alone");
    return asked(given, fan === null ? { kind: "links", document, user } : { kind: "linksOfGroup", ...fan, of });
  },
);

/** The parameters of `GET /api/audit/changes`: a document, a person, or both. */
export const changesQuestion = strictQueryOf({ ...aboutWhom, ...page }, (given) => {
  const { document, user } = given;
  if (document === null && user === null) return wrongQuestion("name a document, a user, or both");
  return asked(given, { kind: "changes", document, user });
});

export const linksAnswer = answerMessage(json.schema<LinksAnswer>());
export const changesAnswer = answerMessage(json.schema<ChangesAnswer>());

/**
 * The parameters of `GET /api/audit/history`: one of document, user and group; with `effective` document, user or both.
 */
export const historyQuestion = strictQueryOf(
  {
    ...aboutWhom,
    group: group("A group, as `{datasource}/{name}`: all that ever bore the name."),
    effective: flag("Intervals of what was visible instead of what was said."),
    ...page,
  },
  (given) => {
    const { document, user, group: named, effective } = given;
    if (effective) {
      if (named !== null || (document === null && user === null))
        return wrongQuestion("with effective, name a document, a user, or both");
      return asked(given, { kind: "effective", document, user });
    }
    const timelines: readonly HistoryQuestion[] = [
      ...(named === null ? [] : [{ kind: "groupTimeline", ...named } as const]),
      ...(user === null ? [] : [{ kind: "userTimeline", user } as const]),
      ...(document === null ? [] : [{ kind: "documentTimeline", ...document } as const]),
    ];
    const [question, ...others] = timelines;
    return question === undefined || others.length > 0
      ? wrongQuestion("name one of document, user and group")
      : asked(given, question);
  },
);

export const timelineAnswer = answerMessage(json.schema<TimelineAnswer>());

/** The parameters of `GET /api/audit/exposure`: an event, or a document and whom it was granted to. */
export const exposureQuestion = strictQueryOf(
  { event: eventPosition("Position of the event."), document: aboutWhom.document, grant: grantTarget, ...page },
  (given) => {
    const { event, document, grant: target } = given;
    const isOfGrant = document !== null || target !== null;
    if ((event !== null) === isOfGrant)
      return wrongQuestion(`name an event, or a document and a grant${isOfGrant ? ", not both" : ""}`);
    if (event !== null) return asked(given, { kind: "exposureOfEvent", event });
    if (document === null) return failed([missing(["query", "document"])]);
    if (target === null) return failed([missing(["query", "grant"])]);
    return asked(given, { kind: "exposureOfGrant", ...document, target });
  },
);
