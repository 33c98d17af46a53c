import { json } from "typia";
import type { AskEventPage } from "../../events/eventSelection.js";
import { eventTypeNames } from "../../events/eventTypes.js";
import { streamCategories } from "../../events/streams.js";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { echo, notInEnum, valueError, type Issue } from "../../http/validation/issue.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import { checkInteger } from "../../http/validation/parameters.js";
import type { QueryString } from "../../http/validation/queryString.js";
import { epochMilliseconds } from "../../shared/instant.js";
import { toEmail, type Email } from "../../shared/ids.js";
import { failed, ok } from "../../shared/result.js";
import { categoryIn, positionIn, refuseOthers, streamIn } from "./eventSelection.js";

/** A page of events, as it is asked for: a person is named by an email. */
export interface EventPageQuestion extends Omit<AskEventPage, "about"> {
  readonly person: Email | null;
}

/** An event as it is told. */
export interface EventAnswer {
  /** Where it stands in the log. */
  position: string;
  at: string;
  stream: string;
  /** The name of the datasource that it belongs to, deleted or not; null: it belongs to none. */
  datasource: string | null;
  revision: number;
  type: string;
  /** A person's email, the id of a credential, or `operator` for the command line. */
  by: string;
  id: string;
  correlation_id: string;
  causation_id: string;
  /** Without secrets; texts of documents are in no event. Empty of an event that cannot be read. */
  data: { [name: string]: unknown };
  /** Why it cannot be read. */
  unreadable?: string;
}

/** Answer of `GET /api/admin/events/page`. */
export interface EventPageAnswer {
  events: EventAnswer[];
  /** Sent as `next` with the same question, it goes on; null: there is nothing more. */
  next: string | null;
}

export const eventPageAnswer = answerMessage(json.schema<EventPageAnswer>());

const orders = { desc: "backwards", asc: "forwards" } as const;
const sizes = { minimum: 1, maximum: 200, otherwise: 50 } as const;
const longestId = 128;

const parameters: QueryParameters<EventPageQuestion>["parameters"] = [
  inQuery("stream", "Only this stream, such as `datasource-handbook`."),
  inQuery("category", "Only streams of this category.", { enum: [...streamCategories] }),
  inQuery("type", "Only events of this type.", { enum: [...eventTypeNames] }),
  inQuery("person", "Only what this login email did, or what names it."),
  inQuery("since", "Only what happened at this ISO 8601 time or later, by the log's clock."),
  inQuery("until", "Only what happened at this ISO 8601 time or earlier."),
  inQuery("correlation_id", "Only what one request caused."),
  inQuery("causation_id", "Only what this request, event or sync run caused directly."),
  inQuery("order", "`desc`: the newest first; `asc`: in the order of the log.", {
    enum: Object.keys(orders),
    default: "desc",
  }),
  inQuery("from", "Begin with this position."),
  inQuery("next", "The `next` of the page before."),
  inQuery("count", "Events, at most.", {
    type: "integer",
    ...{ minimum: sizes.minimum, maximum: sizes.maximum, default: sizes.otherwise },
  }),
];

function checkEventPage(given: QueryString): Checked<EventPageQuestion> {
  const issues: Issue[] = [];
  refuseOthers(
    given,
    parameters.map(({ name }) => name),
    issues,
  );
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const order = oneOf("order", last("order") ?? "desc", Object.keys(orders) as (keyof typeof orders)[], issues);
  const question = {
    stream: streamIn(last("stream"), issues),
    category: categoryIn(last("category"), issues),
    type: oneOf("type", last("type"), eventTypeNames, issues),
    person: last("person") === undefined ? null : toEmail(last("person") ?? ""),
    since: timeIn("since", last("since"), issues),
    until: timeIn("until", last("until"), issues),
    correlationId: idIn("correlation_id", last("correlation_id"), issues),
    causationId: idIn("causation_id", last("causation_id"), issues),
    order: orders[order ?? "desc"],
    from: positionIn("from", last("from"), issues),
    next: positionIn("next", last("next"), issues),
    count: checkInteger(given, "count", sizes, issues),
  };
  return issues.length > 0 ? failed(issues) : ok(question);
}

function oneOf<Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
  issues: Issue[],
): Value | null {
  const value = values.find((known) => known === text) ?? null;
  if (text !== undefined && value === null) issues.push({ ...notInEnum(["query", name], values), ...echo(text) });
  return value;
}

function timeIn(name: string, text: string | undefined, issues: Issue[]): number | null {
  const time = text === undefined ? null : epochMilliseconds(text);
  if (text !== undefined && time === null)
    issues.push({ ...valueError(["query", name], "a moment is an ISO 8601 time"), ...echo(text) });
  return time;
}

function idIn(name: string, text: string | undefined, issues: Issue[]): string | null {
  if (text === undefined) return null;
  if (text === "" || text.length > longestId)
    issues.push({ ...valueError(["query", name], `an id has 1 to ${longestId} characters`), ...echo(text) });
  return text;
}

/** The parameters of `GET /api/admin/events/page`. */
export const eventPageQuery: QueryParameters<EventPageQuestion> = { parameters, check: checkEventPage };
