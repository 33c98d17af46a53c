import { useRef } from "preact/hooks";
import { addressOf } from "../../address.js";
import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Select } from "../../parts/select.js";
import { words } from "../../words.js";
import { ask, choices, isAgent, stop, turns, webModes } from "./conversation.js";
import { attach, detach, files, isUploading } from "./files.js";

const say = words({
  en: {
    question: "Your question",
    placeholder: "Ask a question",
    ask: "Ask",
    stop: "Stop",
    attach: "Attach files",
    model: "Answered by",
    standard: "The usual model",
    models: "Models",
    agents: "Agents",
    documents: "Search documents",
    web: "Search the web",
    webMode: "Web search",
    mode_: "As usual",
    mode_search: "Results",
    mode_context: "Results in context",
    mode_thirdparty: "Third party",
    agent: "An agent searches where it was set up to.",
    closedByFiles: "While files are attached, a model does not search the web: it could send out what they say.",
    closedByAnswers:
      "A model does not search the web any more: it could send out what documents have said. Begin a new conversation, or leave documents out.",
    files: "Attached files",
    uploading: "on its way",
    detach: "Remove {name}",
  },
  de: {
    question: "Ihre Frage",
    placeholder: "Stellen Sie eine Frage",
    ask: "Fragen",
    stop: "Anhalten",
    attach: "Dateien anhängen",
    model: "Es antwortet",
    standard: "Das übliche Modell",
    models: "Modelle",
    agents: "Agenten",
    documents: "In Dokumenten suchen",
    web: "Im Web suchen",
    webMode: "Websuche",
    mode_: "Wie üblich",
    mode_search: "Ergebnisse",
    mode_context: "Ergebnisse im Zusammenhang",
    mode_thirdparty: "Drittanbieter",
    agent: "Ein Agent sucht, wo er suchen soll.",
    closedByFiles:
      "Solange Dateien angehängt sind, sucht ein Modell nicht im Web: Es könnte verraten, was darin steht.",
    closedByAnswers:
      "Ein Modell sucht nun nicht mehr im Web: Es könnte verraten, was in Dokumenten steht. Beginnen Sie ein neues Gespräch, oder lassen Sie Dokumente weg.",
    files: "Angehängte Dateien",
    uploading: "unterwegs",
    detach: "{name} entfernen",
  },
});

/** Where a question is written, with who answers it, and from what. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const isAnswering = turns.value.at(-1)?.state === "answering";
  const send = (): void => {
    const question = box.current?.value.trim() ?? "";
    if (question === "" || isAnswering || isUploading() || box.current === null) return;
    box.current.value = "";
    void ask(question);
  };
  return (
    <form
      class="composer card"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Files />
      <textarea
        ref={box}
        rows={3}
        aria-label={say("question")}
        placeholder={say("placeholder")}
        autofocus
        onKeyDown={(event) => {
          // While letters are composed, Enter is part of that.
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="composer-line">
        <Means />
        <div class="actions">
          <AttachButton />
          {isAnswering ? (
            <button
              type="button"
              onClick={() => {
                stop();
                box.current?.focus();
              }}
            >
              {say("stop")}
            </button>
          ) : (
            <button class="primary" disabled={isUploading()}>
              {say("ask")}
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function AttachButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          void attach([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        {say("attach")}
      </button>
    </>
  );
}

function Files() {
  if (files.value.length === 0) return null;
  return (
    <ul class="attached" aria-label={say("files")}>
      {files.value.map((file) => (
        <li key={file.key} class={file.fault === null ? undefined : "bad"}>
          <span>
            {file.id === null ? file.name : <a href={addressOf("/ask", { file: file.id })}>{file.name}</a>}
            {file.fault !== null && <span role="alert">: {file.fault}</span>}
            {file.fault === null && file.id === null && <span class="quiet"> {say("uploading")}</span>}
          </span>
          <button
            type="button"
            class="plain"
            aria-label={say("detach", { name: file.name })}
            onClick={() => void detach(file)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Why the service lets no model search the web for the next question; null: it does (docs/chat.md). */
function whyWebIsClosed(): "closedByFiles" | "closedByAnswers" | null {
  const { internalSearch, webSearch, model } = choices.value;
  if (!webSearch || isAgent(model)) return null;
  if (files.value.length > 0) return "closedByFiles";
  return internalSearch && turns.value.some(({ text }) => text !== "") ? "closedByAnswers" : null;
}

/** Who answers, and what may be searched. */
function Means() {
  const { internalSearch, webSearch, webMode, model } = choices.value;
  const closed = whyWebIsClosed();
  const choose = (changed: Partial<typeof choices.value>): void => {
    choices.value = { ...choices.value, ...changed };
  };
  return (
    <div class="means">
      <Models chosen={model} onChoose={(chosen) => choose({ model: chosen })} />
      {isAgent(model) ? (
        <p class="quiet">{say("agent")}</p>
      ) : (
        <>
          <Check label={say("documents")} isOn={internalSearch} onTurn={(isOn) => choose({ internalSearch: isOn })} />
          <Check label={say("web")} isOn={webSearch} onTurn={(isOn) => choose({ webSearch: isOn })} />
        </>
      )}
      {!isAgent(model) && webSearch && (
        <Select
          label={say("webMode")}
          value={webMode}
          of={webModes.map((mode) => [mode, say(`mode_${mode}`)])}
          onChoose={(mode) => choose({ webMode: mode })}
        />
      )}
      {closed !== null && <p class="quiet">{say(closed)}</p>}
    </div>
  );
}

interface ModelsProps {
  readonly chosen: string;
  readonly onChoose: (model: string) => void;
}

/** The models and agents that one may ask. Where they cannot be listed, the usual model is still there. */
function Models({ chosen, onChoose }: ModelsProps) {
  const { data } = useAnswer("models", (signal) => api.GET("/api/beta/amberai/models", { signal }));
  const listed = data?.data ?? [];
  const group = (label: string, models: typeof listed) =>
    models.length > 0 && (
      <optgroup label={label}>
        {models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </optgroup>
    );
  return (
    <label class="field">
      <span>{say("model")}</span>
      <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{say("standard")}</option>
        {group(
          say("models"),
          listed.filter(({ id }) => !isAgent(id)),
        )}
        {group(
          say("agents"),
          listed.filter(({ id }) => isAgent(id)),
        )}
      </select>
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

const Check = ({ label, isOn, onTurn }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onTurn(currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
