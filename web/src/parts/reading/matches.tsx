import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../../words.js";
import { stemsOf, stretchesOf, type SoughtStems } from "./sought.js";

const say = words({
  en: {
    matches_one: "{count} match",
    matches: "{count} matches",
    noMatches: "The words stand in the title or the properties, or in other forms.",
    noneHere: "No match in this part",
    next: "Next match",
    previous: "Previous match",
    inPart_one: "{count} match in this part",
    inPart: "{count} matches in this part",
  },
  de: {
    matches_one: "{count} Treffer",
    matches: "{count} Treffer",
    noMatches: "Die Wörter stehen im Titel oder in den Eigenschaften, oder in anderen Formen.",
    noneHere: "Kein Treffer in diesem Teil",
    next: "Nächster Treffer",
    previous: "Voriger Treffer",
    inPart_one: "{count} Treffer in diesem Teil",
    inPart: "{count} Treffer in diesem Teil",
  },
});

/** What is sought, for every {@link Marked} below. */
export const Sought = createContext<SoughtStems>(stemsOf([]));

/** A text in which what is sought is marked. */
export function Marked({ text }: { readonly text: string }) {
  const stems = useContext(Sought);
  if (stems.size === 0) return <>{text}</>;
  return (
    <>
      {stretchesOf(text, stems).map(({ text: each, isMatch }, at) => (isMatch ? <mark key={at}>{each}</mark> : each))}
    </>
  );
}

interface MatchesProps {
  /** Only a part of the text is shown. */
  readonly isPart: boolean;
  /** Stands between the bar and the text. */
  readonly above: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Whatever marks what is sought, and a way from one match to the next. */
export function Matches({ isPart, above, children }: MatchesProps) {
  const isSought = useContext(Sought).size > 0;
  const place = useRef<HTMLDivElement>(null);
  const count = useMarksIn(place);
  const [here, setHere] = useState(-1);
  useEffect(() => {
    const marks = place.current?.querySelectorAll("mark") ?? [];
    marks.forEach((mark, at) => mark.classList.toggle("here", at === here));
    marks[here]?.scrollIntoView({ block: "center", inline: "nearest" });
  }, [here, count]);
  const go = (step: number): void => setHere((at) => (Math.max(at, step > 0 ? -1 : 0) + step + count) % count);
  return (
    <>
      {isSought && (
        <div class="matches">
          <span role="status">{sentenceOn(count, isPart)}</span>
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
      {above}
      <div class="reading" ref={place}>
        {children}
      </div>
    </>
  );
}

function sentenceOn(count: number, isPart: boolean): string {
  if (count > 0) return say(isPart ? "inPart" : "matches", { count });
  return say(isPart ? "noneHere" : "noMatches");
}

/** How many marks there are, whichever view of the text makes them, and whenever it makes more. */
function useMarksIn(place: { readonly current: HTMLElement | null }): number {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => {
    const text = place.current;
    if (text === null) return undefined;
    const tell = (): void => setCount(text.querySelectorAll("mark").length);
    tell();
    const observer = new MutationObserver(tell);
    observer.observe(text, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return count;
}
