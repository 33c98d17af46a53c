import { useLayoutEffect, useState } from "preact/hooks";
import type { Query } from "../../address.js";
import { words } from "../../words.js";
import type { Asked } from "./asked.js";
import { SubjectField } from "./subjectField.js";

const say = words({
  en: {
    document: "Document",
    documentHint: "datasource/id, or parts of its title",
    person: "Person",
    personHint: "E-mail, or parts of a name",
    other: "Compare with",
    ask: "Show access",
    compare: "Compare with somebody else",
    stopComparing: "Stop comparing",
  },
  de: {
    document: "Dokument",
    documentHint: "datenquelle/id oder Teile des Titels",
    person: "Person",
    personHint: "E-Mail oder Teile des Namens",
    other: "Vergleichen mit",
    ask: "Zugriff zeigen",
    compare: "Mit jemand anderem vergleichen",
    stopComparing: "Nicht mehr vergleichen",
  },
});

type Texts = Readonly<Record<"document" | "person" | "other", string>>;

/** Asks for a document, a person, or both. What is asked is in the address. */
export function AskForm({ asked, query }: { readonly asked: Asked; readonly query: Query }) {
  const ofAddress: Texts = { document: asked.document ?? "", person: asked.person ?? "", other: asked.other ?? "" };
  const [texts, setTexts] = useState(ofAddress);
  const [compares, setCompares] = useState(asked.other !== null);
  useLayoutEffect(() => setTexts(ofAddress), [asked.document, asked.person, asked.other]);
  const ask = (given: Texts): void => {
    setTexts(given);
    const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
    const { document, person, other } = given;
    query.set({
      document: orNull(document),
      person: orNull(person),
      other: compares ? orNull(other) : null,
      ...{ open: null, exposure: null },
    });
  };
  const field = (name: keyof Texts) => ({
    name,
    label: say(name),
    text: texts[name],
    onText: (text: string) => setTexts((before) => ({ ...before, [name]: text })),
    onChoose: (value: string) => ask({ ...texts, [name]: value }),
  });
  return (
    <form
      class="card access-form"
      onSubmit={(event) => {
        event.preventDefault();
        ask(texts);
      }}
    >
      <SubjectField kind="document" placeholder={say("documentHint")} {...field("document")} />
      <SubjectField kind="person" placeholder={say("personHint")} {...field("person")} />
      {compares && <SubjectField kind="person" placeholder={say("personHint")} {...field("other")} />}
      <div class="actions">
        <button class="primary">{say("ask")}</button>
        <button
          type="button"
          class="plain"
          onClick={() => {
            setCompares(!compares);
            if (compares) query.set({ other: null });
          }}
        >
          {say(compares ? "stopComparing" : "compare")}
        </button>
      </div>
    </form>
  );
}
