import { useEffect, useMemo, useState } from "preact/hooks";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import { Matches, Sought } from "./matches.js";
import { PartLinks } from "./partLinks.js";
import { placeOfPart, PlainText, SectionView } from "./sectionView.js";
import { sectionsOf, wholeLines, type Section } from "./sections.js";
import { firstMatchIn, stemsOf } from "./sought.js";
import "./reading.css";

const say = words({
  en: {
    before: "Show what comes before",
    more: "Show more of the text",
    shown: "{shown} of {count} characters are shown.",
    empty: "This document has no text. It is found by its title and properties.",
    views: "View",
    asDocument: "As a document",
    asText: "Text as it was read",
  },
  de: {
    before: "Zeigen, was davor steht",
    more: "Mehr vom Text zeigen",
    shown: "{shown} von {count} Zeichen sind zu sehen.",
    empty: "Dieses Dokument hat keinen Text. Es wird durch Titel und Eigenschaften gefunden.",
    views: "Ansicht",
    asDocument: "Als Dokument",
    asText: "Text, wie er gelesen wurde",
  },
});

/** How much of a text is shown at first; each further step shows four times as much. */
const firstCharacters = 50_000;
const growth = 4;
/** Each cell is an element: of tables so much is shown at first. */
const firstOfTables = 16_000;
/** Elements of more text than this make a page slow: a document is shown in stretches of it, one after the other. */
const mostShown = 1_000_000;
/** How much is shown before the first match, where that is far from the beginning. */
const lead = 2_000;

interface DocumentTextProps {
  readonly text: string;
  readonly mimeType: string;
  /** The files in it. */
  readonly parts: readonly Schemas["FilePartAnswer"][];
  /** The words to be marked. */
  readonly sought: readonly string[];
  /** The level of its first heading among those of the page. */
  readonly level: number;
  /** Said where there is no text. */
  readonly empty?: string;
}

/**
 * A document's text: Markdown, tables, mails and the files in it as such, or all of it as it was read, with its matches
 * marked. Of a long one it shows the part that matches.
 */
export function DocumentText({ text, mimeType, parts, sought, level, empty = say("empty") }: DocumentTextProps) {
  const key = sought.join(" ");
  const stems = useMemo(() => stemsOf(sought), [key]);
  const sections = useMemo(() => sectionsOf(text, mimeType, parts), [text, mimeType, parts]);
  const hasViews = sections.some(({ kind, part }) => kind !== "plain" || part !== null);
  const [isPlain, setPlain] = useState(false);
  const isShaped = hasViews && !isPlain;
  const extent = useExtent(
    text,
    useMemo(() => firstMatchIn(text, stems), [text, stems]),
    firstLengthOf(sections),
  );
  const goTo = usePartReached((at) => {
    setPlain(false);
    extent.include(at);
  });
  const links = <PartLinks parts={parts} length={text.length} onGo={goTo} />;
  if (text.trim() === "")
    return (
      <>
        {links}
        <p class="quiet">{empty}</p>
      </>
    );
  const { start, end } = extent.shown;
  const isPart = end - start < text.length;
  return (
    <Sought.Provider value={stems}>
      {links}
      {hasViews && <Views isPlain={isPlain} onChoose={setPlain} />}
      <Matches isPart={isPart} above={start > 0 && <Before onShow={extent.showBefore} />}>
        {isShaped ? (
          sections
            .filter((section) => section.start < end && section.end > start)
            .map((section) => <SectionView key={section.start} {...{ section, whole: text, start, end, level }} />)
        ) : (
          <PlainText text={text.slice(start, end)} />
        )}
      </Matches>
      {isPart && (
        <div class="row">
          <p class="quiet">{say("shown", { shown: end - start, count: text.length })}</p>
          {end < text.length && (
            <button type="button" onClick={extent.showMore}>
              {say("more")}
            </button>
          )}
        </div>
      )}
    </Sought.Provider>
  );
}

/** A table makes more elements than other text of the same length. */
const firstLengthOf = (sections: readonly Section[]): number =>
  sections.some(({ kind }) => kind === "workbook" || kind === "delimited") ? firstOfTables : firstCharacters;

/** What of a text is shown: where it matches at first, and more where that is asked for. */
function useExtent(text: string, firstMatch: number, first: number) {
  const [from, setFrom] = useState(firstMatch > first ? firstMatch - lead : 0);
  const [length, setLength] = useState(first);
  const shown = useMemo(() => wholeLines(text, from, length), [text, from, length]);
  return {
    shown,
    showBefore: (): void => {
      const earlier = Math.max(0, from - length);
      setFrom(earlier);
      setLength(Math.min(mostShown, length + from - earlier));
    },
    showMore: (): void => {
      if (length < mostShown) setLength(Math.min(mostShown, length * growth));
      else setFrom(shown.end);
    },
    /** Shows a place, too. */
    include: (at: number): void => {
      if (at >= shown.start && at < shown.end) return;
      setFrom(at);
      setLength(first);
    },
  };
}

/** Leads to a file in the document once it is shown. */
function usePartReached(show: (at: number) => void): (number: number, at: number) => void {
  const [goal, setGoal] = useState<{ readonly number: number } | null>(null);
  useEffect(() => {
    if (goal === null) return;
    const place = document.getElementById(placeOfPart(goal.number));
    place?.scrollIntoView({ block: "start" });
    place?.focus();
  }, [goal]);
  return (number, at) => {
    show(at);
    setGoal({ number });
  };
}

const Before = ({ onShow }: { readonly onShow: () => void }) => (
  <button type="button" onClick={onShow}>
    {say("before")}
  </button>
);

interface ViewsProps {
  readonly isPlain: boolean;
  readonly onChoose: (isPlain: boolean) => void;
}

const Views = ({ isPlain, onChoose }: ViewsProps) => (
  <div class="views" role="group" aria-label={say("views")}>
    <button type="button" aria-pressed={!isPlain} onClick={() => onChoose(false)}>
      {say("asDocument")}
    </button>
    <button type="button" aria-pressed={isPlain} onClick={() => onChoose(true)}>
      {say("asText")}
    </button>
  </div>
);
