import type { Query } from "../../address.js";
import { Field } from "../../parts/field.js";
import { Instant, toInstant, toLocal } from "../../parts/instant.js";
import { session } from "../../session.js";
import { words } from "../../words.js";
import { anew, type Asked } from "./asked.js";

const say = words({
  en: {
    title: "Search as someone else, or as of a date",
    person: "Search as",
    moment: "As of",
    personHelp: "A person's e-mail. Left empty: yourself.",
    momentHelp: "In your own time zone. Left empty: now.",
    go: "Search this way",
    as: "You search as {person}.",
    since: "As of",
    recorded: "This question is recorded with your name, as every question of an auditor is.",
    stop: "Search as yourself again",
  },
  de: {
    title: "Als jemand anderes suchen, oder zu einem Zeitpunkt",
    person: "Suchen als",
    moment: "Zum Zeitpunkt",
    personHelp: "Die E-Mail einer Person. Leer: Sie selbst.",
    momentHelp: "In Ihrer Zeitzone. Leer: jetzt.",
    go: "So suchen",
    as: "Sie suchen als {person}.",
    since: "Zum Zeitpunkt",
    recorded: "Diese Frage wird mit Ihrem Namen aufgezeichnet, wie jede Frage einer Prüferin.",
    stop: "Wieder als Sie selbst suchen",
  },
});

interface AsSomeoneProps {
  readonly asked: Asked;
  readonly set: Query["set"];
}

/** For auditors: as whom to search, and as of when. */
export function AsSomeone({ asked: { person, moment }, set }: AsSomeoneProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const who = String(given.get("person")).trim();
    set(
      anew({
        as_user: who === "" ? null : who,
        as_of: toInstant(String(given.get("moment"))),
      }),
    );
  };
  return (
    <details class="as-someone">
      <summary class="quiet">{say("title")}</summary>
      <form key={`${person} ${moment}`} onSubmit={submit}>
        <Field
          label={say("person")}
          name="person"
          type="email"
          autocomplete="off"
          defaultValue={person ?? ""}
          help={say("personHelp")}
        />
        <Field
          label={say("moment")}
          name="moment"
          type="datetime-local"
          defaultValue={toLocal(moment)}
          max={toLocal(new Date().toISOString())}
          help={say("momentHelp")}
        />
        <div class="actions">
          <button>{say("go")}</button>
        </div>
      </form>
    </details>
  );
}

interface BannerProps extends AsSomeoneProps {
  /** What such an answer can say, and what it cannot. */
  readonly note: string | undefined;
}

/** Says as whom one searches, and that it is recorded. */
export function AsSomeoneBanner({ asked: { person, moment }, note, set }: BannerProps) {
  return (
    <div class="warning" role="status">
      <p>
        <strong>{say("as", { person: person ?? session.value?.email ?? "" })}</strong>{" "}
        {moment !== null && (
          <>
            {say("since")} <Instant at={moment} />.{" "}
          </>
        )}
        {say("recorded")}
      </p>
      {note !== undefined && <p class="quiet">{note}</p>}
      <button type="button" onClick={() => set(anew({ as_user: null, as_of: null }))}>
        {say("stop")}
      </button>
    </div>
  );
}
