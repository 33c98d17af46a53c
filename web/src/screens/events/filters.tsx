import { useLocation } from "preact-iso";
import { addressOf, useQuery } from "../../address.js";
import { Field } from "../../parts/field.js";
import { toInstant, toLocal } from "../../parts/instant.js";
import { Select } from "../../parts/select.js";
import type { Asked } from "./asked.js";
import { categories, eventTypes } from "./names.js";
import { say } from "./say.js";

/** What narrows the list. A field counts once it is left or Enter is pressed; then it is in the address. */
export function Filters({ asked }: { readonly asked: Asked }) {
  const query = useQuery();
  const { route } = useLocation();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string | null => String(given.get(name) ?? "").trim() || null;
    query.set({
      ...{ stream: text("stream"), category: text("category"), type: text("type"), person: text("person") },
      ...{ since: toInstant(text("since") ?? ""), until: toInstant(text("until") ?? "") },
      ...{ order: text("order") === "asc" ? "asc" : null, event: null },
    });
  };
  const hasAny = Object.keys(asked).length > 0;
  return (
    <form class="stack" onSubmit={submit} aria-label={say("filters")}>
      <div class="event-filters">
        <Choice name="category" label={say("category")} of={categories} chosen={asked.category} />
        <Choice name="type" label={say("type")} of={eventTypes} chosen={asked.type} />
        <Field label={say("person")} name="person" defaultValue={asked.person ?? ""} help={say("personHelp")} />
        <Field label={say("stream")} name="stream" defaultValue={asked.stream ?? ""} help={say("streamHelp")} />
        <Field label={say("since")} name="since" type="datetime-local" defaultValue={toLocal(asked.since)} />
        <Field label={say("until")} name="until" type="datetime-local" defaultValue={toLocal(asked.until)} />
        <Select
          label={say("order")}
          name="order"
          of={[
            ["desc", say("desc")],
            ["asc", say("asc")],
          ]}
          first={asked.order ?? "desc"}
        />
      </div>
      <div class="actions">
        <button class="primary">{say("find")}</button>
        {hasAny && (
          <button type="button" class="plain" onClick={() => route(addressOf("/events"))}>
            {say("reset")}
          </button>
        )}
        <Taken name="from" sentence="from" value={asked.from} as="position" />
        <Taken name="correlation_id" sentence="request" value={asked.correlation_id} as="id" />
        <Taken name="causation_id" sentence="cause" value={asked.causation_id} as="id" />
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly of: readonly string[];
  readonly chosen: string | undefined;
}

const Choice = ({ of, chosen = "", ...select }: ChoiceProps) => (
  <Select {...select} of={[["", say("any")], ...of.map((value) => [value, value] as const)]} first={chosen} />
);

interface TakenProps {
  readonly name: string;
  readonly sentence: "from" | "request" | "cause";
  readonly value: string | undefined;
  readonly as: string;
}

/** A filter that came by a link, and can only be taken away. */
function Taken({ name, sentence, value, as }: TakenProps) {
  const query = useQuery();
  if (value === undefined) return null;
  return (
    <button
      type="button"
      class="plain"
      aria-label={`${say("takeAway")}: ${say(sentence, { [as]: value })}`}
      onClick={() => query.set({ [name]: null })}
    >
      {say(sentence, { [as]: value })} ✕
    </button>
  );
}
