import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { words } from "../../words.js";
import { firstMatchIn, stretchesOf, type Stretch } from "./sought.js";

const say = words({
  en: {
    matches_one: "{count} match",
    matches: "{count} matches",
    noMatches: "The words stand in the title or the properties, or in other forms.",
    next: "Next match",
    previous: "Previous match",
    inPart_one: "{count} match in this part",
    inPart: "{count} matches in this part",
    before: "Show what comes before",
    more: "Show more of the text",
    shown: "{shown} of {count} characters are shown.",
    empty: "This document has no text. It is found by its title and properties.",
  },
  de: {
    matches_one: "{count} Treffer",
    matches: "{count} Treffer",
    noMatches: "Die Wörter stehen im Titel oder in den Eigenschaften, oder in anderen Formen.",
    next: "Nächster Treffer",
    previous: "Voriger Treffer",
    inPart_one: "{count} Treffer in diesem Teil",
    inPart: "{count} Treffer in diesem Teil",
    before: "Zeigen, was davor steht",
    more: "Mehr vom Text zeigen",
    shown: "{shown} von {count} Zeichen sind zu sehen.",
    empty: "Dieses Dokument hat keinen Text. Es wird durch Titel und Eigenschaften gefunden.",
  },
});

/** How much of a text is shown at first; each further step shows four times as much. */
const firstCharacters = 50_000;
const growth = 4;
/** How much is shown before the first match, where that is far from the beginning. */
const lead = 2_000;

interface TextProps {
  readonly text: string;
  /** The words to be marked. */
  readonly sought: readonly string[];
}

/** A text with its matches marked, and a way from one to the next. Of a long one it shows the part that matches. */
export function TextWithMatches({ text, sought }: TextProps) {
  const key = sought.join(" ");
  const first = useMemo(() => firstMatchIn(text, sought), [text, key]);
  const [from, setFrom] = useState(first > firstCharacters ? first - lead : 0);
  const [length, setLength] = useState(firstCharacters);
  const shown = text.slice(from, from + length);
  const stretches = useMemo(() => stretchesOf(shown, sought), [shown, key]);
  const showBefore = (): void => {
    const earlier = Math.max(0, from - length);
    setFrom(earlier);
    setLength(length + from - earlier);
  };
  if (text.trim() === "") return <p class="quiet">{say("empty")}</p>;
  const isPart = shown.length < text.length;
  return (
    <>
      <Marked stretches={stretches} isPart={isPart} isSought={sought.length > 0}>
        {from > 0 && (
          <button type="button" onClick={showBefore}>
            {say("before")}
          </button>
        )}
      </Marked>
      {isPart && (
        <div class="row">
          <p class="quiet">{say("shown", { shown: shown.length, count: text.length })}</p>
          <button type="button" onClick={() => setLength(length * growth)}>
            {say("more")}
          </button>
        </div>
      )}
    </>
  );
}

interface MarkedProps {
  readonly stretches: readonly Stretch[];
  readonly isPart: boolean;
  readonly isSought: boolean;
  /** Stands before the text. */
  readonly children: ComponentChildren;
}

function Marked({ stretches, isPart, isSought, children }: MarkedProps) {
  const [here, setHere] = useState(-1);
  const place = useRef<HTMLDivElement>(null);
  const count = stretches.filter(({ isMatch }) => isMatch).length;
  useEffect(() => {
    const marks = place.current?.querySelectorAll("mark") ?? [];
    marks.forEach((mark, at) => mark.classList.toggle("here", at === here));
    marks[here]?.scrollIntoView({ block: "center" });
  }, [here, stretches]);
  const go = (step: number): void => setHere((at) => (Math.max(at, step > 0 ? -1 : 0) + step + count) % count);
  return (
    <>
      {isSought && (
        <div class="matches">
          <span role="status">{count === 0 ? say("noMatches") : say(isPart ? "inPart" : "matches", { count })}</span>
          {count > 0 && (
            <>
              <button type="button" onClick={() => go(-1)} aria-label={say("previous")}>
                ↑
              </button>
              <button type="button" onClick={() => go(1)} aria-label={say("next")}>
                ↓
              </button>
            </>
          )}
        </div>
      )}
      {children}
      <div class="document-text" ref={place}>
        {stretches.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
      </div>
    </>
  );
}
