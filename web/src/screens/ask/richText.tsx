import { useMemo } from "preact/hooks";
import { blocksOf, type Block } from "../../parts/reading/blocks.js";
import { ListView } from "../../parts/reading/listView.js";
import { SheetTable } from "../../parts/reading/sheetTable.js";
import { words } from "../../words.js";
import { piecesOf } from "./pieces.js";
import "../../parts/reading/reading.css";

const say = words({ en: { source: "Source {number}" }, de: { source: "Quelle {number}" } });

interface RichTextProps {
  readonly text: string;
  /** How many sources there are to be cited. */
  readonly sources: number;
  /** Shows a source, by its number. */
  readonly onSource: (number: number) => void;
}

/** What a model wrote, as elements: it makes no link, no image and no markup. */
export function RichText({ text, ...cited }: RichTextProps) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="rich-text">
      {blocks.map((block, at) => (
        <BlockElement key={at} block={block} {...cited} />
      ))}
    </div>
  );
}

type Cited = Omit<RichTextProps, "text">;

function BlockElement({ block, ...cited }: Cited & { readonly block: Block }) {
  if (block.kind === "code")
    return (
      <pre tabIndex={0}>
        <code>{block.text}</code>
      </pre>
    );
  const show = (text: string) => <Line text={text} {...cited} />;
  if (block.kind === "list") return <ListView items={block.items} show={show} />;
  if (block.kind === "table") return <SheetTable sheet={{ name: null, rows: block.rows, hasHead: true }} show={show} />;
  const line = show(block.text);
  if (block.kind === "quotation") return <blockquote>{line}</blockquote>;
  return <p>{block.kind === "heading" ? <strong>{line}</strong> : line}</p>;
}

function Line({ text, sources, onSource }: Cited & { readonly text: string }) {
  return (
    <>
      {piecesOf(text, sources).map((piece, at) => {
        if (piece.kind === "bold") return <strong key={at}>{piece.text}</strong>;
        if (piece.kind === "code") return <code key={at}>{piece.text}</code>;
        if (piece.kind !== "source") return piece.text;
        const { number } = piece;
        return (
          <button
            key={at}
            type="button"
            class="plain citation"
            aria-label={say("source", { number })}
            onClick={() => onSource(number)}
          >
            {piece.text}
          </button>
        );
      })}
    </>
  );
}
