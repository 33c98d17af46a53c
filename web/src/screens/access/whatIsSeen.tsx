import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { Empty } from "../../parts/states.js";
import { words } from "../../words.js";
import { momentOf } from "./asked.js";
import { Explorer } from "./picture/explorer.js";
import { SeenList } from "./seenList.js";
import { usePages } from "./usePages.js";

const say = words({
  en: {
    now: "What can {person} see?",
    past: "What could {person} see?",
    count: "{count} documents",
    count_one: "1 document",
    nothing: "Nothing",
    list: "Everything, and by what",
    what: "What",
    via: "By what",
  },
  de: {
    now: "Was kann {person} sehen?",
    past: "Was konnte {person} sehen?",
    count: "{count} Dokumente",
    count_one: "1 Dokument",
    nothing: "Nichts",
    list: "Alles, und wodurch",
    what: "Was",
    via: "Wodurch",
  },
});

interface WhatIsSeenProps {
  readonly person: string;
  readonly at: string | null;
  readonly query: Query;
}

/** What a person can see: the picture of their groups, and every document as a list. */
export function WhatIsSeen({ person, at, query }: WhatIsSeenProps) {
  const documents = usePages<Schemas["WhatItem"], Schemas["WhatAnswer"]>(`what ${person} ${at}`, (next, signal) =>
    api.GET("/api/audit/what", {
      params: { query: { user: person, ...momentOf(at), ...(next !== undefined && { next }) } },
      signal,
    }),
  );
  const total = documents.first?.total ?? null;
  return (
    <section class="stack" aria-busy={documents.isBusy}>
      <div class="verdict-head" role="status">
        <div>
          <h2>{say(at === null ? "now" : "past", { person })}</h2>
          {total !== null && <p>{total === 0 ? say("nothing") : say("count", { count: total })}</p>}
        </div>
      </div>
      <Explorer asked={{ document: null, person, at }} query={query} />
      {documents.first?.missing !== undefined && (
        <Empty title={say("nothing")}>
          <p lang="en">{documents.first.missing.detail}</p>
        </Empty>
      )}
      <SeenList
        title={say("list")}
        pages={documents}
        total={total}
        heads={[say("what"), say("via")]}
        seenOf={({ document: name, via }) => ({ name, via })}
        linkTo={(name) => ({ document: name, person, ...momentOf(at) })}
      />
    </section>
  );
}
