import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, useQuery, type Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Dialog } from "../../parts/dialog.js";
import { Page } from "../../parts/page.js";
import { Select } from "../../parts/select.js";
import { Busy, Empty, Fault } from "../../parts/states.js";
import { screenName } from "../../screenName.js";
import { has } from "../../session.js";
import { words } from "../../words.js";
import { anew, askedIn, isAsSomeone, parametersOf, resultsPerPage, type Asked } from "./asked.js";
import { AsSomeone, AsSomeoneBanner } from "./asSomeone.js";
import { Corrected, LeftOut } from "./corrected.js";
import { Document } from "./document.js";
import { Filters } from "./filters.js";
import { NothingFound } from "./nothingFound.js";
import { pathOf } from "./place.js";
import { Results } from "./results.js";
import { wordsMarkedIn } from "./snippet.js";
import { SearchForm } from "./searchForm.js";
import { soughtWords } from "../../parts/reading/sought.js";
import "./search.css";

const say = words({
  en: {
    results_one: "{count} result",
    results: "{count} results",
    many: "More than {count} results",
    partial: "The search was cut short because it would have taken too long. More words that are less common help.",
    previous: "Previous",
    next: "Next",
    pages: "Pages",
    page: "Page {page} of {pages}",
    start: "Search everything that you may see",
    hints:
      "Press / to come here from anywhere on this page, ↓ to go to the results and Enter to open one. “Quoted words” have to stand together; -word leaves documents out.",
    ownPage: "Open as a page of its own",
    document: "Document",
    sort: "Sort by",
    relevance: "Relevance",
    newest: "Last modified",
  },
  de: {
    results_one: "{count} Ergebnis",
    results: "{count} Ergebnisse",
    many: "Mehr als {count} Ergebnisse",
    partial: "Die Suche wurde abgebrochen, weil sie zu lange gedauert hätte. Seltenere Wörter helfen.",
    previous: "Zurück",
    next: "Weiter",
    pages: "Seiten",
    page: "Seite {page} von {pages}",
    start: "Suchen Sie in allem, was Sie sehen dürfen",
    hints:
      "Mit / kommen Sie von überall auf dieser Seite hierher, mit ↓ zu den Ergebnissen, und Enter öffnet eines. „Wörter in Anführungszeichen“ müssen beieinander stehen; -Wort schließt Dokumente aus.",
    ownPage: "Als eigene Seite öffnen",
    document: "Dokument",
    sort: "Sortieren nach",
    relevance: "Relevanz",
    newest: "Zuletzt geändert",
  },
});

/** Full-text search of what one may see. Query, filters and page are in the address. */
export function Search() {
  const address = useQuery();
  const asked = askedIn(address);
  const box = useRef<HTMLInputElement>(null);
  useSlashFor(box);
  const parameters = parametersOf(asked);
  const answer = useAnswer(
    JSON.stringify(parameters),
    asked.query === "" ? null : (signal) => api.GET("/api/beta/search", { params: { query: parameters }, signal }),
  );
  const { data, fault, isBusy, again } = answer;
  return (
    <Page title={screenName("search")} keepsFocus>
      <SearchForm asked={asked} box={box} onSearch={(query) => address.set(anew({ query }))} />
      {has("auditor") && <AsSomeone asked={asked} set={address.set} />}
      {isAsSomeone(asked) && <AsSomeoneBanner asked={asked} note={data?.note} set={address.set} />}
      {fault !== null && <Fault again={again}>{fault}</Fault>}
      {asked.query === "" && <Start />}
      {data === null && isBusy && <Busy />}
      {data !== null && (
        <Found asked={asked} found={data} isStale={isBusy} address={address} onLeave={() => box.current?.focus()} />
      )}
      <Opened
        id={address.get("document")}
        asked={asked}
        results={data?.results ?? []}
        onClose={() => {
          if (address.get("document") !== null) address.set({ document: null });
        }}
      />
    </Page>
  );
}

const Start = () => (
  <Empty title={say("start")}>
    <p>{say("hints")}</p>
  </Empty>
);

interface FoundProps {
  readonly asked: Asked;
  readonly found: Schemas["SearchAnswer"];
  /** Newer results are on their way. */
  readonly isStale: boolean;
  readonly address: Query;
  readonly onLeave: () => void;
}

function Found({ asked, found, isStale, address, onLeave }: FoundProps) {
  const { set } = address;
  const page = (number: number): void => {
    set({ page: number === 1 ? null : String(number) });
    scrollTo({ top: 0 });
  };
  return (
    <div class="search-layout">
      <div class="search-found">
        <div class="search-order">
          <p class="quiet" role="status">
            {say(found.total_relation === "gte" ? "many" : "results", { count: found.total })}
            {found.partial === true && ` · ${say("partial")}`}
          </p>
          <Select
            label={say("sort")}
            of={[
              ["relevance", say("relevance")],
              ["last_modified", say("newest")],
            ]}
            value={asked.isByTime ? "last_modified" : "relevance"}
            onChoose={(sort) => set(anew({ sort: sort === "relevance" ? null : sort }))}
          />
        </div>
        <LeftOut query={asked.query} found={found} addressWith={address.with} />
        {found.results.length === 0 ? (
          <NothingFound asked={asked} total={found.total} facets={found.facets} set={set} />
        ) : (
          <>
            <Corrected query={asked.query} corrected={found.corrected ?? []} addressWith={address.with} />
            <Results
              results={found.results}
              query={asked.query}
              isStale={isStale}
              onOpen={(id) => set({ document: id })}
              onLeave={onLeave}
            />
          </>
        )}
        <Pager page={asked.page} pages={Math.ceil(found.total / resultsPerPage)} onPage={page} />
      </div>
      <Filters asked={asked} facets={found.facets} set={set} />
    </div>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

function Pager({ page, pages, onPage }: PagerProps) {
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label={say("pages")}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {say("previous")}
      </button>
      <span>{say("page", { page, pages })}</span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {say("next")}
      </button>
    </nav>
  );
}

interface OpenedProps {
  readonly id: string | null;
  readonly asked: Asked;
  readonly results: readonly { readonly id: string; readonly title: string; readonly snippet: string }[];
  readonly onClose: () => void;
}

/** The document that is open beside the results. */
function Opened({ id, asked: { query, person, moment }, results, onClose }: OpenedProps) {
  const [title, setTitle] = useState<string | null>(null);
  if (id === null) return null;
  const result = results.find((each) => each.id === id);
  const sought = [...soughtWords(query), ...wordsMarkedIn(result?.snippet ?? "")];
  return (
    <Dialog key={id} title={result?.title ?? title ?? say("document")} size="wide" onClose={onClose}>
      <a href={addressOf(pathOf(id), { query, as_user: person, as_of: moment })}>{say("ownPage")}</a>
      <Document id={id} sought={sought} person={person} moment={moment} titleLevel={2} onTitle={setTitle} />
    </Dialog>
  );
}

/** The key `/` moves the focus to the box, wherever on the page it is not part of a text. */
function useSlashFor(box: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isText =
        event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isText) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
}
