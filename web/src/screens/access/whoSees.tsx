import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { Empty } from "../../parts/states.js";
import { words } from "../../words.js";
import { momentOf } from "./asked.js";
import { Explorer } from "./picture/explorer.js";
import { SeenList } from "./seenList.js";
import { useTitle } from "./useTitle.js";
import { usePages } from "./usePages.js";

const say = words({
  en: {
    now: "Who can see {document}?",
    past: "Who could see {document}?",
    count: "{count} people",
    count_one: "1 person",
    nobody: "Nobody",
    list: "Everyone, and by what",
    who: "Who",
    via: "By what",
  },
  de: {
    now: "Wer kann {document} sehen?",
    past: "Wer konnte {document} sehen?",
    count: "{count} Personen",
    count_one: "1 Person",
    nobody: "Niemand",
    list: "Alle, und wodurch",
    who: "Wer",
    via: "Wodurch",
  },
});

interface WhoSeesProps {
  readonly document: string;
  readonly at: string | null;
  readonly query: Query;
}

/** Who can see a document: the picture, with groups and how many are in them, and everyone as a list. */
export function WhoSees({ document, at, query }: WhoSeesProps) {
  const people = usePages<Schemas["WhoItem"], Schemas["WhoAnswer"]>(`who ${document} ${at}`, (next, signal) =>
    api.GET("/api/audit/who", {
      params: { query: { document, ...momentOf(at), ...(next !== undefined && { next }) } },
      signal,
    }),
  );
  const title = useTitle(document);
  const total = people.first?.total ?? null;
  return (
    <section class="stack" aria-busy={people.isBusy}>
      <div class="verdict-head" role="status">
        <div>
          <h2>{say(at === null ? "now" : "past", { document: title })}</h2>
          {title !== document && <p class="quiet">{document}</p>}
          {total !== null && <p>{total === 0 ? say("nobody") : say("count", { count: total })}</p>}
        </div>
      </div>
      <Explorer asked={{ document, person: null, at }} query={query} />
      {people.first?.missing !== undefined && (
        <Empty title={say("nobody")}>
          <p lang="en">{people.first.missing.detail}</p>
        </Empty>
      )}
      <SeenList
        title={say("list")}
        pages={people}
        total={total}
        heads={[say("who"), say("via")]}
        seenOf={({ user_email: name, via }) => ({ name, via })}
        linkTo={(name) => ({ document, person: name, ...momentOf(at) })}
      />
    </section>
  );
}
