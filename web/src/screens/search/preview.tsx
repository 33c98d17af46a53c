import { useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf, useQuery } from "../../address.js";
import { Page } from "../../parts/page.js";
import { words } from "../../words.js";
import { Document } from "./document.js";
import { soughtWords } from "../../parts/reading/sought.js";
import "./search.css";

const say = words({
  en: { document: "Document", back: "Back to the search" },
  de: { document: "Dokument", back: "Zurück zur Suche" },
});

/** A document's own page, which a link leads to. */
export function Preview() {
  const { params } = useRoute();
  const { get } = useQuery();
  const [title, setTitle] = useState<string | null>(null);
  const query = get("query") ?? "";
  const back = query === "" ? undefined : <a href={addressOf("/search", { query })}>{say("back")}</a>;
  return (
    <Page title={title ?? say("document")} actions={back}>
      <Document
        id={params["id"] ?? ""}
        sought={soughtWords(query)}
        person={get("as_user")}
        moment={get("as_of")}
        titleLevel={1}
        onTitle={setTitle}
      />
    </Page>
  );
}
