import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Busy } from "../../../parts/states.js";
import { shortDay } from "../../../parts/instant.js";
import { language, words } from "../../../words.js";
import { nameOfMaker, plainNameOfMaker } from "../names.js";
import { countOf, inSentence, kindOf, nameOf, say, sentenceOfLink, verbOf } from "../say.js";
import type { Graph, GraphEdge, GraphNode, Member } from "./graph.js";
import { columnsOf, labelSize, memberSize, sizeOf, type Direction, type Layout, type Point } from "./layout.js";
import { fitted } from "./measure.js";

const own = words({
  en: { drawn: "How access flows: from documents, through groups, to people", drawing: "Drawing" },
  de: { drawn: "Wie der Zugriff fließt: von Dokumenten über Gruppen zu Personen", drawing: "Wird gezeichnet" },
});

/** What of a picture is looked at. */
export type Chosen =
  { readonly kind: "node"; readonly node: GraphNode } | { readonly kind: "edge"; readonly edge: GraphEdge };

interface PictureProps {
  readonly graph: Graph;
  readonly chosen: string | null;
  readonly onChoose: (chosen: Chosen) => void;
  /** Opens a fan, or closes it. */
  readonly onToggle: (name: string) => void;
}

const nameFont = "600 14px system-ui, sans-serif";
const smallFont = "12px system-ui, sans-serif";

/** The graph as SVG: every place and every link is an element that can be reached, named and chosen. */
export function Picture({ graph, ...rest }: PictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const laid = useLayout(graph, width);
  const asked = graph.nodes.filter(({ isAsked }) => isAsked).map(({ id }) => id);
  const first = laid?.layout.places.get(asked[0] ?? "");
  useEffect(() => {
    if (first !== undefined) place.current?.scrollTo(first.x - width / 2, first.y - place.current.clientHeight / 2);
  }, [asked.join(" "), first === undefined, width]);
  return (
    <div class="picture" ref={place} onKeyDown={moveFocus}>
      {laid === null ? <Busy what={own("drawing")} /> : <Drawing {...rest} {...laid} />}
    </div>
  );
}

/** How much room the picture has across. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return width;
}

/** The last layout stays until the next is there: it is made in a chunk that is loaded once. */
function useLayout(graph: Graph, width: number): { readonly graph: Graph; readonly layout: Layout } | null {
  const [laid, setLaid] = useState<{ readonly graph: Graph; readonly layout: Layout } | null>(null);
  useEffect(() => {
    if (width === 0) return;
    let isGone = false;
    const lay = async (): Promise<void> => {
      const { layOut } = await import("./dagre.js");
      if (isGone) return;
      const across = layOut(graph, "across");
      const down = across.width <= width ? across : layOut(graph, "down");
      setLaid({ graph, layout: down.width < across.width ? down : across });
    };
    void lay();
    return () => {
      isGone = true;
    };
  }, [graph, width]);
  return laid;
}

interface DrawingProps extends PictureProps {
  readonly layout: Layout;
}

function Drawing({ graph, layout, chosen, onChoose, onToggle }: DrawingProps) {
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  return (
    <svg
      width={layout.width}
      height={layout.height}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="group"
      class={layout.direction}
      data-language={language.value}
    >
      <title>{own("drawn")}</title>
      {graph.edges.map((edge) => (
        <Line
          key={edge.id}
          edge={edge}
          ends={[nodes.get(edge.from), nodes.get(edge.to)]}
          layout={layout}
          isChosen={chosen === edge.id}
          onChoose={onChoose}
        />
      ))}
      {graph.nodes.map((node) => {
        const at = layout.places.get(node.id) ?? { x: 0, y: 0 };
        if (node.fan?.members !== null && node.fan?.members !== undefined)
          return (
            <Box
              key={node.id}
              {...{ node, at, chosen, onChoose, onToggle }}
              members={node.fan.members}
              direction={layout.direction}
            />
          );
        return <Node key={node.id} {...{ node, at, onChoose, onToggle }} isChosen={chosen === node.id} />;
      })}
    </svg>
  );
}

/** Attributes of an element of SVG that can be pressed. */
const pressable = (act: () => void) => ({
  // As SVG has it: its attributes know upper case from lower.
  tabindex: 0,
  role: "button" as const,
  onClick: act,
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  },
});

interface NodeProps extends Pick<PictureProps, "onChoose" | "onToggle"> {
  readonly node: GraphNode;
  readonly at: Point;
  readonly isChosen: boolean;
}

function Node({ node, at, isChosen, onChoose, onToggle }: NodeProps) {
  const { width, height } = sizeOf(node, "across");
  const canOpen = node.fan?.canOpen === true;
  const act = (): void => (canOpen ? onToggle(node.name) : onChoose({ kind: "node", node }));
  const small = canOpen ? say("open") : kindOf(node);
  const states = [node.kind, node.isAbsent && "absent", node.isAsked && "asked", isChosen && "chosen"];
  return (
    <g
      {...pressable(act)}
      class={`place ${states.filter(Boolean).join(" ")}`}
      transform={`translate(${at.x - width / 2} ${at.y - height / 2})`}
      {...(canOpen && { "aria-expanded": false })}
      data-place={node.id}
    >
      <title>{`${small}: ${node.fan === null ? node.name : nameOf(node)}`}</title>
      {node.kind === "fan" && <rect class="behind" x="5" y="5" width={width} height={height} rx="8" />}
      <rect width={width} height={height} rx="8" />
      <Glyph kind={node.fan?.of ?? node.kind} />
      <text class="kind" x="44" y="19">
        {fitted(small, width - 54, smallFont)}
      </text>
      <text class="name" x="44" y="38">
        {fitted(nameOf(node), width - 54, nameFont)}
      </text>
    </g>
  );
}

interface BoxProps extends Omit<NodeProps, "isChosen"> {
  readonly members: readonly Member[];
  readonly direction: Direction;
  readonly chosen: string | null;
}

/** An open fan: every member as a cell. */
function Box({ node, members, at, direction, chosen, onChoose, onToggle }: BoxProps) {
  const { width, height } = sizeOf(node, direction);
  const columns = node.fan === null ? 1 : columnsOf(node.fan, direction);
  const { padding, head } = memberSize;
  return (
    <g class="box" transform={`translate(${at.x - width / 2} ${at.y - height / 2})`} data-place={node.id}>
      <rect width={width} height={height} rx="8" />
      <g {...pressable(() => onToggle(node.name))} class="box-head" aria-expanded>
        <title>{`${nameOf(node)}: ${say("close")}`}</title>
        <rect x={padding} y={padding - 2} width={width - 2 * padding} height={head - 12} rx="5" />
        <text class="name" x={padding + 6} y="26">
          {nameOf(node)}
        </text>
        <text class="kind" x={width - padding - 6} y="26" text-anchor="end">
          ✕
        </text>
      </g>
      {members.map((member, index) => (
        <Cell
          key={member.node.id}
          node={member.node}
          column={index % columns}
          row={Math.floor(index / columns)}
          isChosen={chosen === member.node.id}
          onChoose={onChoose}
        />
      ))}
    </g>
  );
}

interface CellProps extends Pick<NodeProps, "node" | "isChosen" | "onChoose"> {
  readonly column: number;
  readonly row: number;
}

function Cell({ node, column, row, isChosen, onChoose }: CellProps) {
  const { width, height, gap, head, padding } = memberSize;
  const [x, y] = [padding + column * (width + gap), head + row * (height + gap)];
  return (
    <g
      {...pressable(() => onChoose({ kind: "node", node }))}
      class={`place cell ${node.kind} ${isChosen ? "chosen" : ""}`}
      transform={`translate(${x} ${y})`}
      data-place={node.id}
    >
      <title>{`${kindOf(node)}: ${node.name}`}</title>
      <rect width={width} height={height} rx="5" />
      <text class="name" x="10" y="20">
        {fitted(nameOf(node), width - 20, smallFont)}
      </text>
    </g>
  );
}

interface LineProps {
  readonly edge: GraphEdge;
  readonly ends: readonly [GraphNode | undefined, GraphNode | undefined];
  readonly layout: Layout;
  readonly isChosen: boolean;
  readonly onChoose: (chosen: Chosen) => void;
}

function Line({ edge, ends: [from, to], layout, isChosen, onChoose }: LineProps) {
  const path = pathOf(layout.lines.get(edge.id) ?? [], layout.direction);
  const label = layout.hasLabels ? layout.labels.get(edge.id) : undefined;
  const wordsOfLink = lineWords(edge);
  const canChoose = edge.link !== null || edge.isMissing;
  const state = `line ${edge.isMissing ? "missing" : (edge.link?.link ?? "several")} ${isChosen ? "chosen" : ""}`;
  return (
    <g {...(canChoose && pressable(() => onChoose({ kind: "edge", edge })))} class={state}>
      {canChoose && <title>{titleOf(edge, from, to)}</title>}
      <path class="reach" d={path} />
      <path class="stroke" d={path} />
      {label !== undefined && <LineWords at={label} lines={wordsOfLink} />}
    </g>
  );
}

/** One line or two on the ground of the picture, so that the link seems to pass behind them. */
function LineWords({ at: { x, y }, lines }: { readonly at: Point; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  const { width, height } = labelSize;
  const tall = (height * lines.length) / 2;
  return (
    <>
      <rect class="ground" x={x - width / 2} y={y - tall / 2} width={width} height={tall} rx="4" />
      {lines.map((line, index) => (
        <text key={line} class="kind" x={x} y={y - tall / 2 + 13 + 15 * index} text-anchor="middle">
          {fitted(line, width - 4, smallFont)}
        </text>
      ))}
    </>
  );
}

function lineWords({ link, isMissing }: GraphEdge): readonly string[] {
  if (isMissing) return [say("missing")];
  return link === null ? [] : [`${verbOf(link)} · ${shortDay(link.time)}`, plainNameOfMaker(link.by)];
}

function titleOf({ link }: GraphEdge, from: GraphNode | undefined, to: GraphNode | undefined): string {
  if (link !== null)
    return `${sentenceOfLink(link)} ${say("made", { when: shortDay(link.time), who: nameOfMaker(link.by) })}`;
  return say("missingLink", { from: placeWords(from), to: placeWords(to) });
}

const placeWords = (node: GraphNode | undefined): string => {
  if (node === undefined) return "";
  if (node.fan !== null) return countOf(node.fan.of, node.fan.count);
  return node.kind === "fan" ? node.name : inSentence({ kind: node.kind, name: node.name });
};

/** A smooth line through bends, which leaves and arrives in the direction of the picture. */
function pathOf(points: readonly Point[], direction: Direction): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "";
  if (points.length <= 3 || Math.abs(first.x - last.x) + Math.abs(first.y - last.y) < 1) {
    const [dx, dy] = direction === "across" ? [(last.x - first.x) / 2, 0] : [0, (last.y - first.y) / 2];
    return `M${first.x} ${first.y} C${first.x + dx} ${first.y + dy} ${last.x - dx} ${last.y - dy} ${last.x} ${last.y}`;
  }
  const inner = points.slice(1, -1);
  const bends = inner.map((point, index) => {
    const next = inner[index + 1];
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y} ${bends.join(" ")}`;
}

const glyphs: Readonly<Record<string, string>> = {
  document: "M14 13h11l6 6v18H14zM25 13v6h6",
  everybody: "M22.5 13.5a11.5 11.5 0 1 0 .01 0M11 25h23M22.5 13.5c-7 7-7 16 0 23c7-7 7-16 0-23",
  group: "M18 17a4 4 0 1 0 .01 0M11 35c0-6 3-8 7-8s7 2 7 8M29 19a3.2 3.2 0 1 0 .01 0M29 28c4 0 6 2 6 7",
  person: "M23 15a5 5 0 1 0 .01 0M13 37c0-7 4-9.500 10-9.500s10 2.500 10 9.500",
};

const Glyph = ({ kind }: { readonly kind: string }) => (
  <path class="glyph" d={glyphs[kind] ?? ""} transform="translate(3 3) scale(0.88)" />
);

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys go to the nearest place in their direction. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const arrow = arrows[event.key];
  const here = document.activeElement?.closest<SVGGElement>("[data-place][role=button]");
  if (arrow === undefined || here === null || here === undefined) return;
  event.preventDefault();
  const [dx, dy] = arrow;
  const middle = (element: Element): Point => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const from = middle(here);
  const scored = [...event.currentTarget.querySelectorAll<SVGGElement>("[data-place][role=button]")].map((element) => {
    const at = middle(element);
    const ahead = (at.x - from.x) * dx + (at.y - from.y) * dy;
    const aside = Math.abs((at.x - from.x) * dy) + Math.abs((at.y - from.y) * dx);
    return { element, ahead, far: ahead + 2 * aside };
  });
  const [nearest] = scored.filter(({ ahead }) => ahead > 4).toSorted((a, b) => a.far - b.far);
  nearest?.element.focus();
}
