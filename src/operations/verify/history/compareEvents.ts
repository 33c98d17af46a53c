import type { RecordedEvent } from "../../../events/domainEvent.js";
import { FoldedClock } from "../../../events/foldedClock.js";
import { categoriesOfFacts } from "../../../events/streams.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { readLog, type LogStretch } from "../readLog.js";
import type { HistoryAnswer } from "./askedFacts.js";
import type { ComparedHistory } from "./comparison.js";
import { historyKey, type HistorySubject } from "./historySubjects.js";

interface EventComparison {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly served: ComparedHistory;
  readonly against?: ComparedHistory;
  /** Takes the event's key. */
  isChosen(key: string): boolean;
}

interface ComparedEvent {
  readonly subject: HistorySubject;
  readonly should: HistoryAnswer;
  readonly does: HistoryAnswer;
  readonly done: Position;
}

/**
 * Compares, for each event, its place, who asked for it, and what the log's clock shows there and just before the next
 * one.
 */
export async function* compareEvents({
  stretch,
  served,
  against,
  isChosen,
}: EventComparison): AsyncGenerator<ComparedEvent> {
  const clock = new FoldedClock();
  let shows: number | null = null;
  let before: RecordedEvent | null = null;
  for await (const events of readLog({ ...stretch, categories: categoriesOfFacts, withUnreadable: true })) {
    for (const event of events) {
      const subject: HistorySubject = { kind: "event", position: Number(event.position) };
      const shown = shows;
      const at = Date.parse(event.metadata.at);
      shows = clock.tick(Number.isNaN(at) ? null : at).shows;
      if (event.unreadable === undefined && isChosen(historyKey(subject))) {
        const should = against === undefined ? expected(event, shows, shown) : await told(against, event, before);
        yield { subject, should, does: await told(served, event, before), done: event.position };
      }
      before = event;
    }
  }
}

const clockAt = (time: number | null): string => (time === null ? "nothing" : new Date(time).toISOString());

/** `shown`: what the clock shows before; null before the first event. */
function expected(
  { stream, revision, event, metadata: { at, by } }: RecordedEvent,
  shows: number,
  shown: number | null,
): HistoryAnswer {
  const source = {
    stream,
    revision,
    event: event.type,
    recordedTime: new Date(Number.isNaN(Date.parse(at)) ? shows : Date.parse(at)).toISOString(),
    by,
  };
  return answer(source, shows, shown);
}

async function told(
  { history, clock }: ComparedHistory,
  { position }: RecordedEvent,
  before: RecordedEvent | null,
): Promise<HistoryAnswer> {
  const source = history.source(Number(position));
  const isFirst = before === null;
  return answer(source, await clock.showed(position), isFirst ? null : await clock.showed(toPosition(position - 1n)));
}

function answer(
  source: Omit<NonNullable<ReturnType<ComparedHistory["history"]["source"]>>, "position" | "time"> | null,
  shows: number | null,
  shown: number | null,
): HistoryAnswer {
  const facts = new Map([
    ["clock", clockAt(shows)],
    ["clock before", clockAt(shown)],
  ]);
  if (source === null) return facts;
  const { stream, revision, event, recordedTime, by } = source;
  return new Map([
    ...facts,
    ["stream", stream],
    ["revision", String(revision)],
    ["event", event],
    ["time", recordedTime],
    ["by", by],
  ]);
}
