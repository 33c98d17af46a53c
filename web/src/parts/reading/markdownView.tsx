import { useMemo } from "preact/hooks";
import { blocksOf, type Block } from "./blocks.js";
import { Heading } from "./heading.js";
import { ListView } from "./listView.js";
import { Marked } from "./matches.js";
import { SheetTable } from "./sheetTable.js";

interface MarkdownProps {
  readonly text: string;
  /** The level of its first heading among those of the page. */
  readonly level: number;
}

/** Markdown as elements. It makes no link, no image and no markup. */
export function MarkdownView({ text, level }: MarkdownProps) {
  const blocks = useMemo(() => withLevels(blocksOf(text), level), [text, level]);
  return (
    <div class="rich-text">
      {blocks.map(({ block, shownLevel }, at) => (
        <BlockView key={at} block={block} level={shownLevel} />
      ))}
    </div>
  );
}

interface LeveledBlock {
  readonly block: Block;
  readonly shownLevel: number;
}

/** A heading is at most one level below the one before it: who hears a page goes by its levels. */
function withLevels(blocks: readonly Block[], level: number): readonly LeveledBlock[] {
  let last = level - 1;
  return blocks.map((block) => {
    if (block.kind === "heading") last = Math.min(block.level + level - 1, last + 1);
    return { block, shownLevel: last };
  });
}

function BlockView({ block, level }: { readonly block: Block; readonly level: number }) {
  switch (block.kind) {
    case "heading":
      return (
        <Heading level={level}>
          <Marked text={block.text} />
        </Heading>
      );
    case "code":
      return (
        <pre tabIndex={0}>
          <code>
            <Marked text={block.text} />
          </code>
        </pre>
      );
    case "quotation":
      return (
        <blockquote>
          <Marked text={flowing(block.text)} />
        </blockquote>
      );
    case "table":
      return <SheetTable sheet={{ name: null, rows: block.rows, hasHead: true }} />;
    case "list":
      return <ListView items={block.items} show={marked} />;
    default:
      return (
        <p>
          <Marked text={flowing(block.text)} />
        </p>
      );
  }
}

const marked = (text: string) => <Marked text={flowing(text)} />;

/** A line ends where two blanks stand before its end; elsewhere the text flows on. */
const flowing = (text: string): string =>
  text
    .split("  \n")
    .map((line) => line.replaceAll("\n", " "))
    .join("\n");
