import { useEffect, useRef, useState } from "preact/hooks";
import { Busy } from "../../parts/states.js";
import { words } from "../../words.js";
import { openPdf, type DrawablePdf } from "./pdfDocument.js";

const say = words({
  en: {
    page: "Page {page} of {pages}",
    previous: "Previous page",
    next: "Next page",
    drawing: "The page is drawn",
    fault: "The pages cannot be shown. The text that was read stands here.",
    pageFault: "This page cannot be shown. The text that was read stands here.",
    picture: "Page {page} of {name} as a picture. Its text stands in the text that was read.",
  },
  de: {
    page: "Seite {page} von {pages}",
    previous: "Vorige Seite",
    next: "Nächste Seite",
    drawing: "Die Seite wird gezeichnet",
    fault: "Die Seiten können nicht gezeigt werden. Der Text, der gelesen wurde, steht hier.",
    pageFault: "Diese Seite kann nicht gezeigt werden. Der Text, der gelesen wurde, steht hier.",
    picture: "Seite {page} von {name} als Bild. Ihr Text steht im gelesenen Text.",
  },
});

interface PdfPagesProps {
  readonly name: string;
  /** Where its bytes are. */
  readonly address: string;
}

/** The pages of a PDF as pictures, one at a time. */
export function PdfPages({ name, address }: PdfPagesProps) {
  const pdf = usePdf(address);
  const [page, setPage] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outcome, setOutcome] = useState<{ readonly page: number; readonly state: "drawn" | "failed" } | null>(null);
  const state = outcome?.page === page ? outcome.state : "drawing";
  const opened = pdf === "failed" ? null : pdf;
  useEffect(() => {
    if (opened === null || canvas.current === null) return undefined;
    const gone = new AbortController();
    const tell = (told: "drawn" | "failed"): void => {
      if (!gone.signal.aborted) setOutcome({ page, state: told });
    };
    const width = canvas.current.parentElement?.clientWidth ?? canvas.current.clientWidth;
    opened.draw(page, canvas.current, width * Math.max(1, devicePixelRatio), gone.signal).then(
      () => tell("drawn"),
      () => tell("failed"),
    );
    return () => gone.abort();
  }, [opened, page]);
  if (pdf === "failed") return <p class="notice">{say("fault")}</p>;
  const pages = opened?.pages ?? 1;
  return (
    <>
      <div class="row page-turner">
        <button type="button" aria-label={say("previous")} disabled={page <= 1} onClick={() => setPage(page - 1)}>
          ←
        </button>
        <span role="status">{state === "drawing" ? <Busy what={say("drawing")} /> : say("page", { page, pages })}</span>
        <button type="button" aria-label={say("next")} disabled={page >= pages} onClick={() => setPage(page + 1)}>
          →
        </button>
      </div>
      {state === "failed" ? (
        <p class="notice">{say("pageFault")}</p>
      ) : (
        <div class="drawn-page">
          <canvas key={page} ref={canvas} role="img" aria-label={say("picture", { page, name })} data-state={state} />
        </div>
      )}
    </>
  );
}

/** The opened PDF; null while it is on its way. */
function usePdf(address: string): DrawablePdf | "failed" | null {
  const [pdf, setPdf] = useState<DrawablePdf | "failed" | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    let opened: DrawablePdf | null = null;
    const open = async (): Promise<void> => {
      const answer = await fetch(address, { signal: gone.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      opened = await openPdf(await answer.arrayBuffer());
      if (gone.signal.aborted) opened.close();
      else setPdf(opened);
    };
    open().catch(() => {
      if (!gone.signal.aborted) setPdf("failed");
    });
    return () => {
      gone.abort();
      opened?.close();
    };
  }, [address]);
  return pdf;
}
