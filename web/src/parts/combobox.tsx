import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../words.js";
import "./combobox.css";

const say = words({ en: { suggestions: "Suggestions" }, de: { suggestions: "Vorschläge" } });

/** Something that can be chosen. */
export interface Suggestion {
  /** What the field holds once it is chosen. */
  readonly value: string;
  /** What people call it. */
  readonly label: string;
  readonly note?: string;
}

interface ComboboxProps {
  readonly label: string;
  readonly name: string;
  readonly text: string;
  readonly placeholder?: string;
  readonly suggestions: readonly Suggestion[];
  /** Called with the text at every change, typed or chosen. */
  readonly onText: (text: string) => void;
  /** Called with what was chosen. */
  readonly onChoose?: (value: string) => void;
}

/**
 * What is offered below a field that keeps the focus: arrows move among it, Enter chooses, Escape closes. The field
 * takes `attributes`, and calls `open` as somebody types, `press` for each key, and `close` where it is left.
 */
export function useListbox(suggestions: readonly Suggestion[], onChoose: (suggestion: Suggestion) => void) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  useLayoutEffect(() => setActive(-1), [suggestions]);
  const isShown = isOpen && suggestions.length > 0;
  const choose = (suggestion: Suggestion): void => {
    setOpen(false);
    onChoose(suggestion);
  };
  const step = (by: number): void => {
    setOpen(true);
    setActive((active + by + (active < 0 && by < 0 ? 1 : 0) + suggestions.length) % Math.max(1, suggestions.length));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const chosen = isShown ? suggestions[active] : undefined;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape" && isShown) setOpen(false);
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else {
      if (event.key === "Enter") setOpen(false);
      return;
    }
    event.preventDefault();
  };
  return {
    isShown,
    attributes: {
      "aria-autocomplete": "list" as const,
      "aria-controls": `${id}-list`,
      "aria-activedescendant": isShown && active >= 0 ? `${id}-${active}` : undefined,
      autocomplete: "off",
    },
    open: () => setOpen(true),
    close: () => setOpen(false),
    press,
    list: <Suggestions {...{ id, isShown, suggestions, active }} onChoose={choose} />,
  };
}

/**
 * A field that takes any text, and offers what goes with the text so far: the pattern of ARIA's editable combobox.
 * Enter without a choice sends the form.
 */
export function Combobox({ label, name, text, placeholder, suggestions, onText, onChoose }: ComboboxProps) {
  const id = useId();
  const listbox = useListbox(suggestions, ({ value }) => {
    onText(value);
    onChoose?.(value);
  });
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <div class="combobox-control">
        <input
          id={id}
          type="text"
          role="combobox"
          aria-expanded={listbox.isShown}
          {...listbox.attributes}
          spellcheck={false}
          name={name}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            listbox.open();
            onText(currentTarget.value);
          }}
          onKeyDown={listbox.press}
          onBlur={listbox.close}
        />
        {listbox.list}
      </div>
    </div>
  );
}

interface SuggestionsProps extends Pick<ComboboxProps, "suggestions"> {
  readonly id: string;
  readonly isShown: boolean;
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
}

/** What is offered. It is named by itself, so that the field alone bears its label. */
function Suggestions({ id, isShown, suggestions, active, onChoose }: SuggestionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active]);
  return (
    <ul
      id={`${id}-list`}
      ref={list}
      class="combobox-list"
      role="listbox"
      aria-label={say("suggestions")}
      hidden={!isShown}
    >
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
        >
          <span>{suggestion.label}</span>
          {suggestion.note !== undefined && <span class="quiet">{suggestion.note}</span>}
        </li>
      ))}
    </ul>
  );
}
