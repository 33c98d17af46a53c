import type { Changes, Query } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { Empty } from "../../parts/states.js";
import { words } from "../../words.js";
import { anew, type Asked } from "./asked.js";
import { fileTypeName } from "./fileTypes.js";
import { windowName } from "./filters.js";

const say = words({
  en: {
    title: "Nothing found for “{query}”",
    drop: "Drop a filter:",
    without: "without {filter}",
    withoutAll: "without any filter",
    results_one: "{count} result",
    results: "{count} results",
    words:
      "Try fewer or other words, or check how they are written. A word with a minus before it, and quoted words, leave the most out.",
    rights: "You find only what you may see in its source. If something is missing, ask whoever runs that source.",
    behind: "There are fewer pages than that.",
    first: "Go to the first page",
  },
  de: {
    title: "Nichts gefunden für „{query}“",
    drop: "Einen Filter weglassen:",
    without: "ohne {filter}",
    withoutAll: "ganz ohne Filter",
    results_one: "{count} Ergebnis",
    results: "{count} Ergebnisse",
    words:
      "Versuchen Sie weniger oder andere Wörter, oder prüfen Sie die Schreibweise. Ein Wort mit Minus davor und Wörter in Anführungszeichen schließen am meisten aus.",
    rights:
      "Sie finden nur, was Sie in seiner Quelle sehen dürfen. Wenn etwas fehlt, fragen Sie, wer die Quelle betreibt.",
    behind: "So viele Seiten sind es nicht.",
    first: "Zur ersten Seite",
  },
});

type Count = Schemas["FacetCountAnswer"];

interface NothingProps {
  readonly asked: Asked;
  readonly total: number;
  readonly facets: Schemas["FacetsAnswer"] | undefined;
  readonly set: Query["set"];
}

/** What to do where a search finds nothing: which filters to drop, and what that would bring. */
export function NothingFound({ asked, total, facets, set }: NothingProps) {
  if (total > 0)
    return (
      <Empty title={say("behind")}>
        <button type="button" onClick={() => set({ page: null })}>
          {say("first")}
        </button>
      </Empty>
    );
  const on = droppable(asked, facets);
  const all = { name: null, changes: { file_type: null, data_source: null, last_modified: null }, count: null };
  const filters = [...on.filter(({ count }) => count !== 0), ...(on.length > 1 ? [all] : [])];
  return (
    <Empty title={say("title", { query: asked.query })}>
      {filters.length > 0 && (
        <>
          <p>{say("drop")}</p>
          <div class="actions">
            {filters.map(({ name, changes, count }) => (
              <button key={name} type="button" onClick={() => set(anew(changes))}>
                {name === null ? say("withoutAll") : say("without", { filter: name })}
                {count !== null && ` (${say("results", { count })})`}
              </button>
            ))}
          </div>
        </>
      )}
      <p>{say("words")}</p>
      <p>{say("rights")}</p>
    </Empty>
  );
}

interface Droppable {
  readonly name: string;
  readonly changes: Changes;
  /** How many there are without it; null: not known. */
  readonly count: number | null;
}

/** The filters that are on. Counts of a field leave out its own filter, so their sum is what dropping it brings. */
function droppable({ fileTypes, sources, modified }: Asked, facets: NothingProps["facets"]): readonly Droppable[] {
  const sum = (counts: readonly Count[] | undefined): number | null =>
    counts === undefined ? null : counts.reduce((all, { count }) => all + count, 0);
  return [
    ...(fileTypes.length === 0
      ? []
      : [
          {
            name: fileTypes.map(fileTypeName).join(", "),
            changes: { file_type: null },
            count: sum(facets?.file_type),
          },
        ]),
    ...(sources.length === 0
      ? []
      : [{ name: sources.join(", "), changes: { data_source: null }, count: sum(facets?.datasource) }]),
    ...(modified === null ? [] : [{ name: windowName(modified), changes: { last_modified: null }, count: null }]),
  ];
}
