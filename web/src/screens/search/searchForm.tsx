import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { useListbox } from "../../parts/combobox.js";
import { words } from "../../words.js";
import { isAsSomeone, type Asked } from "./asked.js";
import { focusFirstResult } from "./results.js";

const say = words({
  en: {
    label: "Search for",
    placeholder: "What are you looking for?",
    go: "Search",
    title: "Document",
  },
  de: {
    label: "Suchen nach",
    placeholder: "Was suchen Sie?",
    go: "Suchen",
    title: "Dokument",
  },
});

interface SearchFormProps {
  readonly asked: Asked;
  readonly box: { readonly current: HTMLInputElement | null };
  readonly onSearch: (query: string) => void;
}

/**
 * The box for the query, with what completes it below. What was typed since gives up the question before. ↓ goes to
 * what is offered, and where nothing is, to the results.
 */
export function SearchForm({ asked, box, onSearch }: SearchFormProps) {
  const { query } = asked;
  const [typed, setTyped] = useState("");
  const isAsked = typed.trim() !== "" && !isAsSomeone(asked);
  const { data } = useAnswer(
    typed,
    isAsked ? (signal) => api.GET("/api/beta/suggest", { params: { query: { query: typed } }, signal }) : null,
  );
  const search = (text: string): void => {
    setTyped("");
    onSearch(text.trim());
  };
  const offered = useMemo(() => offeredIn(isAsked ? data : null), [isAsked, data]);
  const listbox = useListbox(offered, ({ value }) => {
    if (box.current !== null) box.current.value = value;
    search(value);
  });
  // Who goes back in the history finds the query of then in the box. It is there before anybody can type.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.value = query;
  }, [query]);
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <search>
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          search(box.current?.value ?? "");
        }}
      >
        <div class="combobox-control">
          <input
            ref={box}
            type="search"
            name="query"
            aria-label={say("label")}
            aria-keyshortcuts="/"
            {...listbox.attributes}
            placeholder={say("placeholder")}
            maxLength={4_096}
            onInput={({ currentTarget }) => {
              listbox.open();
              setTyped(currentTarget.value);
            }}
            onBlur={listbox.close}
            onKeyDown={(event) => {
              if (listbox.isShown) listbox.press(event);
              else if (event.key === "ArrowDown" && focusFirstResult()) event.preventDefault();
            }}
          />
          {listbox.list}
        </div>
        <button class="primary">{say("go")}</button>
      </form>
    </search>
  );
}

interface Suggested {
  readonly suggestions: readonly { readonly text: string; readonly kind: "title" | "word" }[];
}

const offeredIn = (answer: Suggested | null) =>
  (answer?.suggestions ?? []).map(({ text, kind }) => ({
    value: text,
    label: text,
    ...(kind === "title" && { note: say("title") }),
  }));
