import { useEffect, useState } from "preact/hooks";
import type { Query } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import { anew, windows, type Asked } from "./asked.js";
import { fileTypeName } from "./fileTypes.js";

const say = words({
  en: {
    filters: "Filters",
    filtersOn: "Filters ({count} on)",
    fileType: "File type",
    source: "Source",
    modified: "Last modified",
    any: "Any time",
    clear: "Clear all filters",
    atLeast: "At least so many",
  },
  de: {
    filters: "Filter",
    filtersOn: "Filter ({count} aktiv)",
    fileType: "Dateityp",
    source: "Quelle",
    modified: "Geändert",
    any: "Jederzeit",
    clear: "Alle Filter entfernen",
    atLeast: "Mindestens so viele",
  },
});

/** What windows of time are called; a range is called as it is written. */
export const windowName = words({
  en: {
    threeday: "Last 3 days",
    week: "Last 7 days",
    month: "Last 30 days",
    threemonth: "Last 90 days",
    year: "Last year",
    fiveyear: "Last 5 years",
  },
  de: {
    threeday: "Letzte 3 Tage",
    week: "Letzte 7 Tage",
    month: "Letzte 30 Tage",
    threemonth: "Letzte 90 Tage",
    year: "Letztes Jahr",
    fiveyear: "Letzte 5 Jahre",
  },
}) as (window: string) => string;

type Facets = Schemas["FacetsAnswer"];
type Count = Schemas["FacetCountAnswer"];

/** How many filters are on. */
const onIn = ({ fileTypes, sources, modified }: Asked): number =>
  fileTypes.length + sources.length + (modified === null ? 0 : 1);

interface FiltersProps {
  readonly asked: Asked;
  readonly facets: Facets | undefined;
  readonly set: Query["set"];
}

const wide = matchMedia("(width >= 64rem)");

/** Whether filters stand beside the results; where they stand above, they are closed at first. */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const follow = (): void => setWide(wide.matches);
    wide.addEventListener("change", follow);
    return () => wide.removeEventListener("change", follow);
  }, []);
  return isWide;
}

/** What results can be narrowed to, with how many there would be. */
export function Filters({ asked, facets, set }: FiltersProps) {
  const count = onIn(asked);
  const isWide = useIsWide();
  const narrow = (name: string, chosen: readonly string[]): void => set(anew({ [name]: chosen }));
  const atLeast = facets?.relation === "gte" ? say("atLeast") : undefined;
  return (
    <details class="filters" open={isWide}>
      <summary>{count === 0 ? say("filters") : say("filtersOn", { count })}</summary>
      <Several
        legend={say("fileType")}
        counts={facets?.file_type}
        chosen={asked.fileTypes}
        nameOf={fileTypeName}
        title={atLeast}
        onChoose={(chosen) => narrow("file_type", chosen)}
      />
      <Several
        legend={say("source")}
        counts={facets?.datasource}
        chosen={asked.sources}
        nameOf={(name) => name.replaceAll("__", " › ")}
        title={atLeast}
        onChoose={(chosen) => narrow("data_source", chosen)}
      />
      <Windows
        counts={facets?.last_modified}
        chosen={asked.modified}
        title={atLeast}
        onChoose={(chosen) => set(anew({ last_modified: chosen }))}
      />
      {count > 0 && (
        <button type="button" onClick={() => set(anew({ file_type: null, data_source: null, last_modified: null }))}>
          {say("clear")}
        </button>
      )}
    </details>
  );
}

interface SeveralProps {
  readonly legend: string;
  readonly counts: readonly Count[] | undefined;
  readonly chosen: readonly string[];
  readonly nameOf: (value: string) => string;
  readonly title: string | undefined;
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** Values of which several may be chosen. What is chosen stays, also where nothing has it. */
function Several({ legend, counts = [], chosen, nameOf, title, onChoose }: SeveralProps) {
  const missing = chosen.filter((value) => counts.every((each) => each.value !== value));
  // Subs are not counted.
  const uncounted = missing.map((value) => ({ value, count: value.includes("__") ? null : 0 }));
  const all = [...counts, ...uncounted];
  if (all.length === 0) return null;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {all.map(({ value, count }) => (
        <label key={value} class="filter">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          <span>{nameOf(value)}</span>
          {count !== null && <Counted count={count} title={title} />}
        </label>
      ))}
    </fieldset>
  );
}

interface WindowsProps {
  readonly counts: readonly Count[] | undefined;
  readonly chosen: string | null;
  readonly title: string | undefined;
  readonly onChoose: (chosen: string | null) => void;
}

function Windows({ counts = [], chosen, title, onChoose }: WindowsProps) {
  const isRange = chosen !== null && !(windows as readonly string[]).includes(chosen);
  return (
    <fieldset>
      <legend>{say("modified")}</legend>
      {[null, ...windows, ...(isRange ? [chosen] : [])].map((value) => {
        const count = counts.find((each) => each.value === value)?.count;
        return (
          <label key={value} class={count === 0 ? "filter none" : "filter"}>
            <input type="radio" name="last_modified" checked={chosen === value} onChange={() => onChoose(value)} />
            <span>{value === null ? say("any") : windowName(value)}</span>
            {count !== undefined && <Counted count={count} title={title} />}
          </label>
        );
      })}
    </fieldset>
  );
}

const number = words({ en: { count: "{count}" }, de: { count: "{count}" } });

const Counted = ({ count, title }: { readonly count: number; readonly title: string | undefined }) => (
  <span class="count" title={title}>
    {number("count", { count })}
    {title !== undefined && "+"}
  </span>
);
