import { lazy } from "preact-iso";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Dialog } from "../../parts/dialog.js";
import { DocumentText } from "../../parts/reading/documentText.js";
import { words } from "../../words.js";

const say = words({
  en: {
    file: "File",
    empty: "No text was read of this file.",
    picture: "{name} as a picture. Its text stands in the text that was read.",
    fault: "The picture cannot be shown.",
    text: "Text that was read",
    pages: "As it looks",
    kept: "Only you see this file. It is erased with its conversation, or when its time is over.",
  },
  de: {
    file: "Datei",
    empty: "In dieser Datei wurde kein Text gelesen.",
    picture: "{name} als Bild. Der Text darin steht im gelesenen Text.",
    fault: "Das Bild kann nicht gezeigt werden.",
    text: "Text, der gelesen wurde",
    pages: "Wie sie aussieht",
    kept: "Diese Datei sehen nur Sie. Sie wird mit ihrem Gespräch gelöscht, oder wenn ihre Zeit um ist.",
  },
});

/** The library that draws pages is loaded with the first PDF. */
const PdfPages = lazy(() => import("./pdfPages.js").then((file) => file.PdfPages));

/** Pictures that a browser shows without running anything; the API tells all others as bytes. */
const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

interface FileViewProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** An uploaded file: its pages or its picture beside the text that was read of it. */
export function FileView({ id, onClose }: FileViewProps) {
  const answer = useAnswer(id, (signal) => api.GET("/api/beta/files/{id}/text", { params: { path: { id } }, signal }));
  return (
    <Dialog title={answer.data?.name ?? say("file")} size="wide" onClose={onClose}>
      <Answered answer={answer}>{(file) => <Shown id={id} file={file} />}</Answered>
    </Dialog>
  );
}

function Shown({ id, file }: { readonly id: string; readonly file: Schemas["FileTextAnswer"] }) {
  const { name, mime_type: mimeType, text_content: text } = file;
  const address = `/api/beta/files/${encodeURIComponent(id)}/content`;
  const looks = mimeType === "application/pdf" || pictures.has(mimeType);
  return (
    <div class={looks ? "file-view beside" : "file-view"}>
      {looks && (
        <section class="file-looks" aria-label={say("pages")}>
          {mimeType === "application/pdf" ? (
            <PdfPages name={name} address={address} />
          ) : (
            <Picture name={name} address={address} />
          )}
        </section>
      )}
      <section class="file-text" aria-label={say("text")}>
        <DocumentText
          text={text}
          mimeType={mimeType}
          parts={file.file.parts}
          sought={nothing}
          level={3}
          empty={say("empty")}
        />
      </section>
      <p class="quiet">{say("kept")}</p>
    </div>
  );
}

const nothing: readonly string[] = [];

function Picture({ name, address }: { readonly name: string; readonly address: string }) {
  const [isFailed, setFailed] = useState(false);
  if (isFailed) return <p class="notice">{say("fault")}</p>;
  return <img src={address} alt={say("picture", { name })} onError={() => setFailed(true)} />;
}
