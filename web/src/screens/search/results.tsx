import { addressOf } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { Instant } from "../../parts/instant.js";
import { fileTypeName } from "./fileTypes.js";
import { pathOf, placeOf, webAddressOf } from "./place.js";
import { Snippet } from "./snippet.js";

type Result = Schemas["SearchResultAnswer"];

interface ResultsProps {
  readonly results: readonly Result[];
  readonly query: string;
  /** Newer ones are on their way. */
  readonly isStale: boolean;
  readonly onOpen: (id: string) => void;
  /** Asked to leave the list upwards. */
  readonly onLeave: () => void;
}

const linkOf = "a[data-result]";

/** Moves the focus to the first result; false where there is none. */
export function focusFirstResult(): boolean {
  const first = document.querySelector<HTMLElement>(linkOf);
  first?.focus();
  return first !== null;
}

/** The results of a page. Arrows move through them, Enter opens one. */
export function Results({ results, query, isStale, onOpen, onLeave }: ResultsProps) {
  const move = (event: KeyboardEvent): void => {
    const links = [...document.querySelectorAll<HTMLElement>(linkOf)];
    const at = links.findIndex((link) => link === document.activeElement);
    if (at === -1) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key !== "Escape" && step === 0) return;
    event.preventDefault();
    const next = step === 0 ? undefined : links[at + step];
    if (next !== undefined) next.focus();
    else if (step !== 1) onLeave();
  };
  return (
    <ol class={isStale ? "results stale" : "results"} onKeyDown={move}>
      {results.map((result) => (
        <ResultItem key={result.id} result={result} query={query} onOpen={onOpen} />
      ))}
    </ol>
  );
}

/** Such a type says nothing: which file it is, the title or the path says. */
const isMerelyFile = (type: string): boolean => type === "file" || type === "asset";

interface ResultItemProps extends Pick<ResultsProps, "query" | "onOpen"> {
  readonly result: Result;
}

function ResultItem({ result, query, onOpen }: ResultItemProps) {
  const original = webAddressOf(result.path_preview);
  /** A plain click opens it beside the results; with a key held it is a link like any other. */
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    onOpen(result.id);
  };
  return (
    <li class="result">
      <h2>
        <a href={addressOf(pathOf(result.id), { query })} data-result onClick={open}>
          {result.title}
        </a>
      </h2>
      <p class="quiet result-facts">
        <span>{placeOf(result)}</span>
        {!isMerelyFile(result.file_type) && <span>{fileTypeName(result.file_type)}</span>}
        {result.last_modified !== null && (
          <span>
            <Instant at={result.last_modified} precision="day" />
          </span>
        )}
        {result.author !== null && <span>{result.author}</span>}
      </p>
      <Snippet of={result.snippet} />
      {(result.path ?? original) !== null && (
        <p class="quiet">
          {original === null ? (
            result.path
          ) : (
            <a href={original} target="_blank" rel="noreferrer">
              {result.path ?? original}
            </a>
          )}
        </p>
      )}
    </li>
  );
}
