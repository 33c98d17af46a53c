import { json } from "typia";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { auditQuestionStream, type StreamCategory, type StreamName } from "../../events/streams.js";
import { route } from "../../http/route.js";
import { toCredentialId, type Email } from "../../shared/ids.js";
import { clientGone, type ApiContext } from "../../http/apiContext.js";
import { toPosition } from "../../shared/position.js";
import type { AuditQuestionKind } from "../../events/auditQuestion.js";
import { integer, orElse, strictQueryOf, textParameter } from "../../http/validation/parameters.js";
import { ok } from "../../shared/result.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import { aboutWhom } from "../messages/auditParameters.js";
import { eventPosition, historyPageSizes } from "../messages/historyParameters.js";

/** Which answers are wanted of those that were given about the past, and about other people. */
interface AskQuestions {
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

/** Which page of a list in the order of the log. */
export const logPage = {
  from: orElse(eventPosition("From this position of the log on. Left out: from its beginning."), 0),
  count: integer("Items on a page, at most.", historyPageSizes),
};

/** The parameters of `GET /api/audit/questions`. */
const askQuestions = strictQueryOf(
  {
    by: textParameter("Only what was asked with this credential.", (id) => id),
    user: aboutWhom.user,
    ...logPage,
  },
  (given): Checked<AskQuestions> => ok(given),
);

const questionsAnswer = answerMessage(json.schema<QuestionsAnswer>());

function answeredIn({ event, position, metadata }: RecordedEvent): AnsweredQuestion[] {
  if (event.type !== "AuditQuestionAnswered") return [];
  const { question, about, asOf } = event.data;
  const { group, ...others } = about;
  const named = { ...others, ...(group !== undefined && { group: `${group.datasource}/${group.name}` }) };
  return [{ position: String(position), time: metadata.at, by: metadata.by, question, about: named, as_of: asOf }];
}

const listQuestions = route({
  method: "GET",
  path: "/api/audit/questions",
  access: "auditor",
  query: askQuestions,
  async handle(context, { query: { by, user, from, count } }) {
    const stream = by === null ? null : auditQuestionStream(toCredentialId(by));
    context.body = await readPage(context, { stream, category: "auditQuestion", from, count }, (event) =>
      answeredIn(event).filter(({ about }) => user === null || about.user === user),
    );
  },
  description: {
    tag: "Audit",
    summary: "List who asked what about other people",
    description:
      "Answers that were given to auditors, in the order of the log. Of searches only those as of a moment or as somebody else, and never what they looked for. Later pages of one answer count with the first.",
    success: {
      description: "Answers.",
      schema: questionsAnswer,
      example: {
        items: [
          {
            position: "1207",
            time: "2026-02-01T08:00:00.000Z",
            by: "9a41c7d0",
            question: "access",
            about: { user: "ada@example.org", document: "handbook/travel-2024.md" },
            as_of: "1204",
          },
        ],
      },
    },
  },
});

/** The audit of audits (docs/design/audit.md). */
export const auditQuestionRoutes = [listQuestions];

/** Which events are told: of one stream or of a category, from a position of the log on. */
interface PageOfEvents {
  readonly stream: StreamName | null;
  readonly category: StreamCategory;
  readonly from: number;
  readonly count: number;
}

/** Reads a page of what is told of events, in the order of the log. `next` is missing on the last. */
export async function readPage<Item extends { readonly position: string }>(
  context: ApiContext,
  { stream, category, from, count }: PageOfEvents,
  told: (event: RecordedEvent) => readonly Item[],
): Promise<{ items: Item[]; next?: string }> {
  const selection = { stream, category, from: toPosition(from), follow: false };
  const items: Item[] = [];
  for await (const events of context.services.eventLog.read(selection, clientGone(context))) {
    items.push(...events.filter(({ unreadable }) => unreadable === undefined).flatMap(told));
    if (items.length > count) break;
  }
  const next = items[count]?.position;
  return { items: items.slice(0, count), ...(next !== undefined && { next }) };
}
