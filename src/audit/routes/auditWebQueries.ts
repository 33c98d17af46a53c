import { json } from "typia";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { route } from "../../http/route.js";
import { strictQueryOf } from "../../http/validation/parameters.js";
import { ok } from "../../shared/result.js";
import { readPage, logPage } from "./auditQuestions.js";
import { recordQuestion } from "./recordQuestion.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import type { Email } from "../../shared/ids.js";
import { aboutWhom } from "../messages/auditParameters.js";

/** Which web queries are wanted of those that have left. */
interface AskWebQueries {
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

/** The parameters of `GET /api/audit/web-queries`. */
const askWebQueries = strictQueryOf({ user: aboutWhom.user, ...logPage }, (given): Checked<AskWebQueries> => ok(given));

const webQueriesAnswer = answerMessage(json.schema<WebQueriesAnswer>());

function sentIn({ event, position, metadata }: RecordedEvent): SentWebQueries[] {
  if (event.type !== "WebQuerySent") return [];
  const { person: user, answerId: answer, mode, queries } = event.data;
  const { at: time, by } = metadata;
  return [{ position: String(position), time, by, user, answer, mode, queries: [...queries] }];
}

const listWebQueries = route({
  method: "GET",
  path: "/api/audit/web-queries",
  access: "auditor",
  query: askWebQueries,
  async handle(context, { query: { user, from, count } }) {
    const page = await readPage(context, { stream: null, category: "answer", from, count }, (event) =>
      sentIn(event).filter((sent) => user === null || sent.user === user),
    );
    const asOf = page.items.at(-1)?.position ?? String(from);
    await recordQuestion(context, { question: "web-queries", about: { ...(user !== null && { user }) }, asOf });
    context.body = page;
  },
  description: {
    tag: "Audit",
    summary: "List what left the service for the web",
    description:
      "Queries that chats, agents and tools sent to web search engines, for whom and for which answer, in the order of the log. Each was recorded before it left. That this was asked is recorded in turn, as of the last one told.",
    success: {
      description: "Queries.",
      schema: webQueriesAnswer,
      example: {
        items: [
          {
            position: "1210",
            time: "2026-02-01T08:00:00.000Z",
            by: "9a41c7d0",
            user: "ada@example.org",
            answer: "3f2a9c0d7b6e4d1f8a5c",
            mode: null,
            queries: ["rail strike dates"],
          },
        ],
      },
    },
  },
});

/** What left the service (docs/design/chat-and-web.md). */
export const auditWebQueryRoutes = [listWebQueries];
