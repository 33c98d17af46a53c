import { useMemo } from "preact/hooks";
import { words } from "../../words.js";
import { Fact, Facts } from "../facts.js";
import { Instant } from "../instant.js";
import { Heading } from "./heading.js";
import { mailHeadOf } from "./mailHead.js";
import { MarkdownView } from "./markdownView.js";
import { Marked } from "./matches.js";
import { delimitedRows, separatorOf, sheetsOf } from "./rows.js";
import type { PlacedPart, Section, TextKind } from "./sections.js";
import { SheetTable } from "./sheetTable.js";

const say = words({
  en: {
    subject: "Subject",
    from: "From",
    to: "To",
    cc: "Cc",
    date: "Date",
    unread: "This file was not read: {reason}",
    nothing: "This file has no text of its own.",
  },
  de: {
    subject: "Betreff",
    from: "Von",
    to: "An",
    cc: "Kopie an",
    date: "Datum",
    unread: "Diese Datei wurde nicht gelesen: {reason}",
    nothing: "Diese Datei hat keinen eigenen Text.",
  },
});

/** The element at which a file in a document begins. */
export const placeOfPart = (number: number): string => `part-${number}`;

interface SectionProps {
  readonly section: Section;
  /** The whole text. */
  readonly whole: string;
  /** What of it is shown. */
  readonly start: number;
  readonly end: number;
  /** The level of its first heading. */
  readonly level: number;
}

/** The document's own text, or that of a file in it with the file's name above, as such a file is shown best. */
export function SectionView({ section, whole, start, end, level }: SectionProps) {
  const { part, kind, textStart } = section;
  const from = Math.max(start, textStart);
  const text = whole.slice(from, Math.min(end, section.end));
  const isBeginning = from === textStart;
  const shown = text.trim() !== "" && (
    <TextView
      kind={kind}
      text={text}
      isBeginning={isBeginning}
      separator={kind === "delimited" ? separatorOf(whole.slice(textStart, section.end)) : ""}
      level={part === null ? level : level + 1}
    />
  );
  if (part === null) return <>{shown}</>;
  return (
    <section class="part" aria-labelledby={placeOfPart(part.number)}>
      {start <= section.start && <PartHead part={part} level={level} />}
      {shown || (part.unread === null && isBeginning && <p class="quiet">{say("nothing")}</p>)}
    </section>
  );
}

const PartHead = ({ part, level }: { readonly part: PlacedPart; readonly level: number }) => (
  <header>
    <Heading level={level} id={placeOfPart(part.number)}>
      <Marked text={part.name} />
    </Heading>
    {part.mime_type !== null && <p class="quiet">{part.mime_type}</p>}
    {part.unread !== null && <p class="warning">{say("unread", { reason: part.unread })}</p>}
  </header>
);

interface TextProps {
  readonly kind: TextKind;
  readonly text: string;
  /** The text is its file's from the beginning on. */
  readonly isBeginning: boolean;
  readonly separator: string;
  readonly level: number;
}

function TextView({ kind, text, isBeginning, separator, level }: TextProps) {
  if (kind === "markdown") return <MarkdownView text={text} level={level} />;
  if (kind === "workbook") return <Workbook text={text} isBeginning={isBeginning} />;
  if (kind === "delimited") return <Values text={text} separator={separator} hasHead={isBeginning} />;
  if (kind === "mail" && isBeginning) return <Mail text={text} />;
  return <PlainText text={text} />;
}

/** A text as it was read. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <div class="document-text">
    <Marked text={text} />
  </div>
);

function Workbook({ text, isBeginning }: { readonly text: string; readonly isBeginning: boolean }) {
  const sheets = useMemo(() => sheetsOf(text, isBeginning), [text, isBeginning]);
  return (
    <>
      {sheets.map((sheet, at) => (
        <SheetTable key={at} sheet={sheet} />
      ))}
    </>
  );
}

interface ValuesProps {
  readonly text: string;
  readonly separator: string;
  readonly hasHead: boolean;
}

function Values({ text, separator, hasHead }: ValuesProps) {
  const rows = useMemo(() => delimitedRows(text, separator), [text, separator]);
  return <SheetTable sheet={{ name: null, rows, hasHead }} />;
}

function Mail({ text }: { readonly text: string }) {
  const head = useMemo(() => mailHeadOf(text), [text]);
  return (
    <>
      <Facts>
        {(["subject", "from", "to", "cc"] as const).map(
          (name) =>
            head[name] !== "" && (
              <Fact key={name} name={say(name)}>
                <Marked text={head[name]} />
              </Fact>
            ),
        )}
        {head.date !== "" && (
          <Fact name={say("date")}>
            <Instant at={head.date} />
          </Fact>
        )}
      </Facts>
      <PlainText text={text.slice(head.end)} />
    </>
  );
}
