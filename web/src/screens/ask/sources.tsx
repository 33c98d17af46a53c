import { words } from "../../words.js";
import { pathOf, webAddressOf } from "../search/place.js";
import type { Source } from "./conversation.js";

const say = words({
  en: { sources: "Sources", none: "This answer names no source." },
  de: { sources: "Quellen", none: "Diese Antwort nennt keine Quelle." },
});

/** The element of a source, which citations lead to. */
export const placeOfSource = (turn: number, number: number): string => `source-${turn}-${number}`;

interface SourcesProps {
  readonly turn: number;
  readonly sources: readonly Source[];
}

/** What an answer rests on, by the numbers that it cites. These alone are links. */
export const Sources = ({ turn, sources }: SourcesProps) => (
  <div class="sources" role="group" aria-label={say("sources")}>
    <h2>{say("sources")}</h2>
    {sources.length === 0 ? (
      <p class="quiet">{say("none")}</p>
    ) : (
      <ol>
        {sources.map((source, at) => (
          <li key={at} id={placeOfSource(turn, at + 1)} tabIndex={-1}>
            <SourceLink source={source} />
            <p class="quiet">{source.snippet}</p>
          </li>
        ))}
      </ol>
    )}
  </div>
);

/** A document opens here; a page of the web beside. */
function SourceLink({ source: { id, url, title } }: { readonly source: Source }) {
  if (typeof id === "string") return <a href={pathOf(id)}>{title}</a>;
  const address = webAddressOf(url);
  if (address === null) return <span>{title}</span>;
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        {title === "" ? address : title}
      </a>{" "}
      <span class="quiet">{new URL(address).host}</span>
    </>
  );
}
