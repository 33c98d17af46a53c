import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Combobox, type Suggestion } from "../../parts/combobox.js";
import { words } from "../../words.js";

const say = words({ en: { gone: "no longer there" }, de: { gone: "nicht mehr da" } });

interface SubjectFieldProps {
  readonly label: string;
  readonly name: string;
  readonly kind: "document" | "person" | "group";
  readonly text: string;
  readonly placeholder?: string;
  readonly onText: (text: string) => void;
  readonly onChoose?: (value: string) => void;
}

const settledMs = 150;

/** Holds a text back until it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A field for a document, a person or a group: typed as it is written, or chosen by parts of its names. */
export function SubjectField({ kind, text, ...field }: SubjectFieldProps) {
  const [isTyped, setTyped] = useState(false);
  const wanted = useSettled(text.trim());
  const found = useAnswer(
    `subjects ${kind} ${isTyped} ${wanted}`,
    !isTyped || wanted === ""
      ? null
      : (signal) => api.GET("/api/audit/subjects", { params: { query: { query: wanted, kind } }, signal }),
  );
  const suggestions = useMemo(
    () =>
      (found.data ?? []).map(({ value, label, present }): Suggestion => {
        const notes = [label === value ? "" : value, present ? "" : say("gone")];
        return { value, label, note: notes.filter((part) => part !== "").join(" · ") };
      }),
    [found.data],
  );
  return (
    <Combobox
      {...field}
      text={text}
      suggestions={suggestions}
      onText={(typed) => {
        setTyped(true);
        field.onText(typed);
      }}
      onChoose={(value) => {
        setTyped(false);
        field.onChoose?.(value);
      }}
    />
  );
}
