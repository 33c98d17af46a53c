import { useId, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Fault } from "../../parts/states.js";
import { locale, words } from "../../words.js";
import type { Asked } from "./asked.js";
import { nameOfMaker, useNames } from "./names.js";

const say = words({
  en: {
    title: "When",
    slider: "Moment in the history",
    now: "Now",
    before: "Before the first change",
    earlier: "Earlier change",
    later: "Later change",
    exact: "At an exact time",
    go: "Go",
    none: "Nothing has ever changed here.",
    changed: "What changed",
    by: "by {who}",
    most: "Only the newest {count} changes are on the slider.",
    zone: "In your time zone.",
  },
  de: {
    title: "Wann",
    slider: "Moment in der Geschichte",
    now: "Jetzt",
    before: "Vor der ersten Änderung",
    earlier: "Frühere Änderung",
    later: "Spätere Änderung",
    exact: "Zu einer genauen Zeit",
    go: "Los",
    none: "Hier hat sich nie etwas geändert.",
    changed: "Was sich änderte",
    by: "durch {who}",
    most: "Nur die neuesten {count} Änderungen sind auf dem Regler.",
    zone: "In Ihrer Zeitzone.",
  },
});

type Fact = Schemas["ExplainedFact"];

/** A moment of the slider: what one event changed. */
interface Stop {
  readonly position: string;
  readonly time: string;
  readonly facts: readonly Fact[];
}

const mostChanges = 1_000;

interface MomentsProps {
  readonly asked: Asked;
  readonly query: Query;
}

/**
 * A slider over the moments at which something changed around what is asked; between two of them nothing did. Its marks
 * stand where time has them.
 */
export function Moments({ asked, query }: MomentsProps) {
  const { document, person, other } = asked;
  const changes = useChanges(document, person ?? other);
  const others = useChanges(document, person === null ? null : other, person !== null && other !== null);
  const stops = useMemo(
    () => stopsOf([...(changes.data?.items ?? []), ...(others.data?.items ?? [])]),
    [changes.data, others.data],
  );
  useNames(stops.flatMap(({ facts }) => facts.map(({ by }) => by)));
  const go = (at: string | null): void => query.set({ at }, "replace");
  const chosen = indexOf(stops, asked.at);
  return (
    <section class="moments card" aria-label={say("title")}>
      {changes.fault !== null && <Fault again={changes.again}>{changes.fault}</Fault>}
      {changes.data !== null && stops.length === 0 && <p class="quiet">{say("none")}</p>}
      {stops.length > 0 && <Slider stops={stops} chosen={chosen} at={asked.at} onGo={go} />}
      {changes.data?.next !== undefined && <p class="quiet">{say("most", { count: mostChanges })}</p>}
      <Changed stop={stops[chosen - 1]} />
      <Exact at={asked.at} onGo={go} />
    </section>
  );
}

/** What changed around a document, a person or both; `isWanted`: left out, it is asked. */
const useChanges = (document: string | null, user: string | null, isWanted = true) =>
  useAnswer(
    `changes ${document} ${user} ${isWanted}`,
    !isWanted
      ? null
      : (signal) => {
          const query = { ...(document !== null && { document }), ...(user !== null && { user }), count: mostChanges };
          return api.GET("/api/audit/changes", { params: { query }, signal });
        },
  );

/** Events in the order of the log, each with all that it changed; what is told twice counts once. */
function stopsOf(changes: readonly Fact[]): readonly Stop[] {
  const stops = new Map<string, { position: string; time: string; facts: Fact[] }>();
  for (const fact of changes) {
    const stop = stops.get(fact.position);
    if (stop === undefined) stops.set(fact.position, { position: fact.position, time: fact.time, facts: [fact] });
    else if (stop.facts.every((known) => known.fact !== fact.fact)) stop.facts.push(fact);
  }
  return [...stops.values()].toSorted((a, b) => Number(BigInt(a.position) - BigInt(b.position)));
}

/** How many stops lie at or before a moment; one more than there are for now. 0: none does. */
function indexOf(stops: readonly Stop[], at: string | null): number {
  if (at === null) return stops.length + 1;
  const isPosition = /^\d+$/.test(at);
  const isBefore = ({ position, time }: Stop): boolean =>
    isPosition ? BigInt(position) <= BigInt(at) : Date.parse(time) <= Date.parse(at);
  return stops.filter(isBefore).length;
}

/** The moment of a stop, as the address has it; 0 is before the first. */
function momentAt(stops: readonly Stop[], index: number): string | null {
  if (index > stops.length) return null;
  if (index > 0) return stops[index - 1]?.position ?? null;
  const [first] = stops;
  return first === undefined ? null : String(BigInt(first.position) - 1n);
}

interface SliderProps {
  readonly stops: readonly Stop[];
  readonly chosen: number;
  readonly at: string | null;
  readonly onGo: (at: string | null) => void;
}

function Slider({ stops, chosen, at, onGo }: SliderProps) {
  const id = useId();
  const [moved, setMoved] = useState(chosen);
  useLayoutEffect(() => setMoved(chosen), [chosen]);
  const last = stops.length + 1;
  const step = (by: number) => () => onGo(momentAt(stops, Math.min(last, Math.max(0, moved + by))));
  const told = wordsOfStop(stops, moved, at);
  return (
    <>
      <div class="moments-head">
        <label for={id}>{say("slider")}</label>
        <output for={id}>{told}</output>
      </div>
      <div class="moments-slider">
        <button type="button" aria-label={say("earlier")} disabled={moved === 0} onClick={step(-1)}>
          ‹
        </button>
        <div class="moments-track">
          <Marks stops={stops} chosen={moved} />
          <input
            id={id}
            type="range"
            min={0}
            max={last}
            step={1}
            value={moved}
            aria-valuetext={told}
            onInput={({ currentTarget }) => setMoved(Number(currentTarget.value))}
            onChange={({ currentTarget }) => onGo(momentAt(stops, Number(currentTarget.value)))}
          />
        </div>
        <button type="button" aria-label={say("later")} disabled={moved === last} onClick={step(1)}>
          ›
        </button>
      </div>
    </>
  );
}

function wordsOfStop(stops: readonly Stop[], index: number, at: string | null): string {
  const form = new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" });
  if (index > stops.length) return say("now");
  const isTime = at !== null && !/^\d+$/.test(at) && !Number.isNaN(Date.parse(at));
  if (isTime) return form.format(new Date(at));
  const stop = stops[index - 1];
  return stop === undefined ? say("before") : form.format(new Date(stop.time));
}

/** As many marks can be told apart. */
const mostMarks = 120;

/** Marks under the slider, one for each stop; where there are too many to see, one for each that can be seen. */
function Marks({ stops, chosen }: { readonly stops: readonly Stop[]; readonly chosen: number }) {
  const last = stops.length + 1;
  const every = Math.ceil(stops.length / mostMarks);
  return (
    <svg class="moments-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
      {stops.map((stop, index) =>
        index % every === 0 ? (
          <line
            key={stop.position}
            class={index + 1 <= chosen ? "past" : "future"}
            x1={((index + 1) / last) * 1000}
            x2={((index + 1) / last) * 1000}
            y1="0"
            y2="12"
          />
        ) : null,
      )}
    </svg>
  );
}

const mostFacts = 5;

function Changed({ stop }: { readonly stop: Stop | undefined }) {
  if (stop === undefined) return null;
  return (
    <div class="moments-changed" role="status">
      <p class="quiet">{say("changed")}</p>
      <ul lang="en">
        {stop.facts.slice(0, mostFacts).map(({ fact, by }) => (
          <li key={fact}>
            {fact} <span class="quiet">{say("by", { who: nameOfMaker(by) })}</span>
          </li>
        ))}
        {stop.facts.length > mostFacts && <li class="quiet">+ {stop.facts.length - mostFacts}</li>}
      </ul>
    </div>
  );
}

/** Any moment at all, by the reader's clock. */
function Exact({ at, onGo }: { readonly at: string | null; readonly onGo: (at: string | null) => void }) {
  const id = useId();
  return (
    <details class="moments-exact">
      <summary>{say("exact")}</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get("time"));
          const time = new Date(text);
          if (!Number.isNaN(time.getTime())) onGo(time.toISOString());
        }}
      >
        <div class="field">
          <label for={id}>{say("zone")}</label>
          <input id={id} type="datetime-local" name="time" step="1" required />
        </div>
        <button>{say("go")}</button>
        {at !== null && (
          <button type="button" class="plain" onClick={() => onGo(null)}>
            {say("now")}
          </button>
        )}
      </form>
    </details>
  );
}
