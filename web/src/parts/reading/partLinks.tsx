import { useState } from "preact/hooks";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import { placeOfPart } from "./sectionView.js";

const say = words({
  en: {
    parts: "Files in it",
    all: "Show all {count} files",
    unread: "not read: {reason}",
    cut: "beyond what was kept of the text",
    noName: "File {number}",
  },
  de: {
    parts: "Dateien darin",
    all: "Alle {count} Dateien zeigen",
    unread: "nicht gelesen: {reason}",
    cut: "jenseits dessen, was vom Text behalten wurde",
    noName: "Datei {number}",
  },
});

type FilePart = Schemas["FilePartAnswer"];

interface PartLinksProps {
  readonly parts: readonly FilePart[];
  /** How long the text is. */
  readonly length: number;
  readonly onGo: (number: number, at: number) => void;
}

/** How many files are named at first. */
const firstParts = 12;

/** The files in a document: attachments, entries of an archive. Each leads to where its text begins. */
export function PartLinks({ parts, length, onGo }: PartLinksProps) {
  const [isWhole, setWhole] = useState(false);
  if (parts.length === 0) return null;
  const named = isWhole ? parts : parts.slice(0, firstParts);
  return (
    <nav class="part-links" aria-label={say("parts")}>
      <p class="quiet">{say("parts")}</p>
      <ul>
        {named.map((part, at) => (
          <li key={at}>
            <PartLink part={part} number={at + 1} isThere={part.at < length} onGo={onGo} />
          </li>
        ))}
      </ul>
      {named.length < parts.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {say("all", { count: parts.length })}
        </button>
      )}
    </nav>
  );
}

interface PartLinkProps extends Pick<PartLinksProps, "onGo"> {
  readonly part: FilePart;
  readonly number: number;
  readonly isThere: boolean;
}

function PartLink({ part: { name, at, unread }, number, isThere, onGo }: PartLinkProps) {
  const called = name === "" ? say("noName", { number }) : name;
  const go = (event: MouseEvent): void => {
    event.preventDefault();
    onGo(number, at);
  };
  return (
    <>
      {isThere ? (
        <a href={`#${placeOfPart(number)}`} onClick={go}>
          {called}
        </a>
      ) : (
        called
      )}
      {unread !== null && <span class="quiet"> – {say("unread", { reason: unread })}</span>}
      {!isThere && unread === null && <span class="quiet"> – {say("cut")}</span>}
    </>
  );
}
