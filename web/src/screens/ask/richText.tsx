import { useMemo } from "preact/hooks";
import { words } from "../../words.js";
import { blocksOf, piecesOf, type Block } from "./blocks.js";

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
  if (block.kind === "list") {
    const items = block.items.map((item, at) => (
      <li key={at}>
        <Line text={item} {...cited} />
      </li>
    ));
    return block.isOrdered ? <ol start={block.first}>{items}</ol> : <ul>{items}</ul>;
  }
  const line = <Line text={block.text} {...cited} />;
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
