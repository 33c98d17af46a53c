import type { ComponentChildren } from "preact";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { DocumentText } from "../../parts/reading/documentText.js";
import { Instant } from "../../parts/instant.js";
import { has } from "../../session.js";
import { addressOf } from "../../address.js";
import { words } from "../../words.js";
import { placeOf, webAddressOf } from "./place.js";

const say = words({
  en: {
    source: "Source",
    path: "Path",
    author: "Author",
    modified: "Last modified",
    indexed: "Indexed",
    type: "File type",
    size: "Size",
    bytes_one: "{count} byte",
    bytes: "{count} bytes",
    original: "Open the original",
    why: "Who can see it",
    whyPerson: "Why {person} can see it",
    asSomeone:
      "Found as {person}. Its text is shown only to those who may see it now, so you see it here only if that is you.",
  },
  de: {
    source: "Quelle",
    path: "Pfad",
    author: "Von",
    modified: "Geändert",
    indexed: "Indexiert",
    type: "Dateityp",
    size: "Größe",
    bytes_one: "{count} Byte",
    bytes: "{count} Bytes",
    original: "Original öffnen",
    why: "Wer es sehen kann",
    whyPerson: "Warum {person} es sehen kann",
    asSomeone:
      "Gefunden als {person}. Den Text sieht nur, wer ihn jetzt sehen darf; hier sehen Sie ihn also nur, wenn Sie das dürfen.",
  },
});

interface DocumentProps {
  /** `{datasource}__{document_id}`. */
  readonly id: string;
  /** The words to be marked in the text. */
  readonly sought: readonly string[];
  /** As whom it was found, and as of when, where that is somebody else or another time. */
  readonly person: string | null;
  readonly moment: string | null;
  /** The level of the title that stands above it, among the page's headings. */
  readonly titleLevel: 1 | 2;
  /** Told what the document is called. */
  readonly onTitle?: (title: string) => void;
}

/** A document that one may see: what is known of it, and its text with the matches. */
export function Document({ id, sought, person, moment, titleLevel, onTitle }: DocumentProps) {
  const answer = useAnswer(id, async (signal) => {
    const asked = await api.GET("/api/beta/document/metadata", {
      params: { query: { document_id: id, include_text_content: true } },
      signal,
    });
    if (asked.data !== undefined) onTitle?.(asked.data.title);
    return asked;
  });
  const { data } = answer;
  return (
    <div class="document">
      {person !== null && <p class="warning">{say("asSomeone", { person })}</p>}
      <Answered answer={answer}>{(known) => <Known of={known} />}</Answered>
      <div class="actions">
        <Original path={data?.path_preview ?? null} />
        {has("auditor") && <Explanation id={id} person={person} moment={moment} />}
      </div>
      {data !== null && (
        <DocumentText
          text={data.text_content ?? ""}
          mimeType={data.mime_type}
          parts={data.file?.parts ?? noParts}
          sought={sought}
          level={titleLevel + 1}
        />
      )}
    </div>
  );
}

const noParts: readonly never[] = [];

type Metadata = Schemas["DocumentMetadataAnswer"];

const Known = ({ of: document }: { readonly of: Metadata }) => (
  <dl>
    <Fact name={say("source")}>{placeOf(document)}</Fact>
    <Fact name={say("path")}>{document.path}</Fact>
    <Fact name={say("author")}>{document.author}</Fact>
    <Fact name={say("modified")}>{document.last_modified && <Instant at={document.last_modified} />}</Fact>
    <Fact name={say("indexed")}>
      <Instant at={document.indexed_at} />
    </Fact>
    <Fact name={say("type")}>
      {document.file_type} ({document.mime_type})
    </Fact>
    <Fact name={say("size")}>{say("bytes", { count: document.size })}</Fact>
    {document.custom_properties.map(({ name, value }) => (
      <Fact key={name} name={name}>
        {String(value)}
      </Fact>
    ))}
  </dl>
);

/** Left out where nothing is known. */
const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) =>
  children === null || children === "" ? null : (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );

/** The explorer of who can see it; of the person as whom it was found, why that one can. */
const Explanation = ({ id, person, moment }: Pick<DocumentProps, "id" | "person" | "moment">) => (
  <a class="button" href={addressOf("/access", { document: id.replace("__", "/"), person, at: moment })}>
    {person === null ? say("why") : say("whyPerson", { person })}
  </a>
);

/** The document at its source. */
function Original({ path }: { readonly path: string | null }) {
  const address = webAddressOf(path);
  return address === null ? null : (
    <a class="button" href={address} target="_blank" rel="noreferrer">
      {say("original")}
    </a>
  );
}
