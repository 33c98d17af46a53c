import { lazy } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../../address.js";
import { Page } from "../../parts/page.js";
import { Busy, Empty, Fault } from "../../parts/states.js";
import { screenName } from "../../screenName.js";
import { words } from "../../words.js";
import { Composer } from "./composer.js";
import { beginAnew, retry, turns, type Turn } from "./conversation.js";
import { attach } from "./files.js";
import { RichText } from "./richText.js";
import { placeOfSource, Sources } from "./sources.js";
import "./ask.css";

const say = words({
  en: {
    anew: "New conversation",
    conversation: "Conversation",
    start: "Ask about what you may see",
    hints:
      "Answers rest on documents that you may see, and name them beside. Drop files here to ask about them. The conversation is gone when this page is closed.",
    you: "You",
    answer: "Answer",
    thinking: "An answer is on its way",
    searching: "Documents are searched",
    searchingWeb: "The web is searched",
    unsearched: "This model takes no tools: nothing was searched for this answer.",
    stopped: "Stopped. What is above is not the whole answer.",
    drop: "Drop files to ask about them",
    files: "With {files}",
  },
  de: {
    anew: "Neues Gespräch",
    conversation: "Gespräch",
    start: "Fragen Sie nach dem, was Sie sehen dürfen",
    hints:
      "Antworten stützen sich auf Dokumente, die Sie sehen dürfen, und nennen sie daneben. Legen Sie Dateien hier ab, um nach ihnen zu fragen. Das Gespräch ist fort, wenn diese Seite geschlossen wird.",
    you: "Sie",
    answer: "Antwort",
    thinking: "Eine Antwort ist unterwegs",
    searching: "Dokumente werden durchsucht",
    searchingWeb: "Das Web wird durchsucht",
    unsearched: "Dieses Modell nimmt keine Werkzeuge an: Für diese Antwort wurde nichts gesucht.",
    stopped: "Angehalten. Was oben steht, ist nicht die ganze Antwort.",
    drop: "Dateien ablegen, um nach ihnen zu fragen",
    files: "Mit {files}",
  },
});

/** What shows a file is loaded with the first one. */
const FileView = lazy(() => import("./fileView.js").then((file) => file.FileView));

/** A conversation with a model that may search what one may see. It stays in the memory of the page. */
export function Ask() {
  const { isOver, ...drop } = useDroppedFiles();
  const { get, set } = useQuery();
  const file = get("file");
  const isEmpty = turns.value.length === 0;
  useFollowing();
  return (
    <Page
      title={screenName("ask")}
      keepsFocus
      actions={
        isEmpty ? undefined : (
          <button type="button" onClick={beginAnew}>
            {say("anew")}
          </button>
        )
      }
    >
      <div class={isOver ? "ask dropping" : "ask"} data-drop={say("drop")} {...drop}>
        {isEmpty ? (
          <Empty title={say("start")}>
            <p>{say("hints")}</p>
          </Empty>
        ) : (
          <ol class="turns" aria-label={say("conversation")}>
            {turns.value.map((turn) => (
              <TurnItem key={turn.number} turn={turn} />
            ))}
          </ol>
        )}
        <Composer />
      </div>
      {file !== null && <FileView key={file} id={file} onClose={() => set({ file: null })} />}
    </Page>
  );
}

function TurnItem({ turn }: { readonly turn: Turn }) {
  const { number, question, files, text, sources, isUnsearched, state, note, fault } = turn;
  const isAnswering = state === "answering";
  return (
    <li class="turn">
      <article class="question" aria-label={say("you")}>
        <p>{question}</p>
        {files.length > 0 && <p class="quiet">{say("files", { files: files.join(", ") })}</p>}
      </article>
      <div class="answered">
        <article class="answer" aria-label={say("answer")} aria-busy={isAnswering}>
          {text !== "" && (
            <RichText text={text} sources={sources.length} onSource={(cited) => showSource(number, cited)} />
          )}
          {isUnsearched && (
            <p class="quiet" role="status">
              {say("unsearched")}
            </p>
          )}
          {isAnswering && <Busy what={doingBy(note)} />}
          {state === "stopped" && (
            <p class="quiet" role="status">
              {say("stopped")}
            </p>
          )}
          {fault !== null && <Fault again={() => void retry(number)}>{fault}</Fault>}
        </article>
        {state === "done" && <Sources turn={number} sources={sources} />}
      </div>
    </li>
  );
}

/** What is done meanwhile, by the note of the stream, which names tools. */
function doingBy(note: string | null): string {
  if (note?.includes("internalSearch") === true) return say("searching");
  return say(note?.includes("webSearch") === true ? "searchingWeb" : "thinking");
}

function showSource(turn: number, number: number): void {
  const place = document.getElementById(placeOfSource(turn, number));
  place?.scrollIntoView({ block: "nearest" });
  place?.focus();
}

/** How near to the end of the page one has to be to be taken along as an answer grows. */
const nearEnd = 160;

/** A new question scrolls to its answer; from there on the page follows while one is at its end. */
function useFollowing(): void {
  const before = useRef({ count: turns.value.length, height: 0 });
  useEffect(() => {
    const { scrollHeight } = document.documentElement;
    const { count, height } = before.current;
    const wasAtEnd = scrollY + innerHeight >= height - nearEnd;
    if (turns.value.length > count || (height > 0 && wasAtEnd)) scrollTo({ top: scrollHeight });
    before.current = { count: turns.value.length, height: scrollHeight };
  }, [turns.value]);
}

/** Files that are dropped anywhere on the conversation are attached. */
function useDroppedFiles() {
  const [isOver, setOver] = useState(false);
  const takes = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
  return {
    isOver,
    onDragOver: (event: DragEvent): void => {
      if (!takes(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent): void => {
      if (!takes(event)) return;
      event.preventDefault();
      setOver(false);
      void attach([...(event.dataTransfer?.files ?? [])]);
    },
  };
}
