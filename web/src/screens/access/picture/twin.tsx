import { useState } from "preact/hooks";
import { Instant } from "../../../parts/instant.js";
import { words } from "../../../words.js";
import { nameOfMaker } from "../names.js";
import { kindOf, nameOf, say, verbOf } from "../say.js";
import type { Graph, GraphEdge, GraphNode } from "./graph.js";

const own = words({
  en: { title: "The same as a list", above: "as above", by: "by {who}" },
  de: { title: "Dasselbe als Liste", above: "wie oben", by: "durch {who}" },
});

interface TwinProps {
  readonly graph: Graph;
  readonly onToggle: (name: string) => void;
}

/** With as many links, the list is open at once: it says in words what the picture has no room for. */
const mostOpen = 12;

/** The picture as a nested list: documents, below them whom they name, and so on down to the people. */
export function Twin({ graph, onToggle }: TwinProps) {
  const [isOpen, setOpen] = useState(graph.edges.length <= mostOpen);
  return (
    <details class="twin" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{own("title")}</summary>
      {isOpen && <Listing graph={graph} onToggle={onToggle} />}
    </details>
  );
}

/** A line of the list; below it, lines of what it leads to. */
interface Line {
  readonly node: GraphNode;
  readonly edge: GraphEdge | null;
  /** It stands further up with all that is below it. */
  readonly isRepeated: boolean;
  readonly lines: readonly Line[];
}

function Listing({ graph, onToggle }: TwinProps) {
  const lines = linesOf(graph);
  return <Lines lines={lines} onToggle={onToggle} />;
}

function Lines({ lines, onToggle }: { readonly lines: readonly Line[]; readonly onToggle: TwinProps["onToggle"] }) {
  return (
    <ul>
      {lines.map(({ node, edge, isRepeated, lines: below }) => (
        <li key={`${edge?.id} ${node.id}`}>
          {edge !== null && <Made edge={edge} />}
          <span class={node.isAsked ? "twin-name asked" : "twin-name"}>{nameOf(node)}</span>{" "}
          <span class="quiet">{kindOf(node)}</span>
          {isRepeated && <span class="quiet"> · {own("above")}</span>}
          {node.fan?.canOpen === true && (
            <button type="button" class="plain small" onClick={() => onToggle(node.name)}>
              {node.fan.members === null ? say("open") : say("close")}
            </button>
          )}
          {node.fan !== null && node.fan.members !== null && (
            <ul class="twin-members">
              {node.fan.members.map((member) => (
                <li key={member.node.id}>{nameOf(member.node)}</li>
              ))}
            </ul>
          )}
          {below.length > 0 && <Lines lines={below} onToggle={onToggle} />}
        </li>
      ))}
    </ul>
  );
}

function Made({ edge }: { readonly edge: GraphEdge }) {
  if (edge.isMissing) return <span class="state bad">{say("missing")}</span>;
  if (edge.link === null) return null;
  return (
    <span class="quiet">
      {verbOf(edge.link)} (<Instant at={edge.link.time} />, {own("by", { who: nameOfMaker(edge.link.by) })}):{" "}
    </span>
  );
}

/** From the places to which nothing leads, downwards; what was listed before is not listed again. */
function linesOf({ nodes, edges }: Graph): readonly Line[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const after = new Map<string, GraphEdge[]>();
  for (const edge of edges) after.set(edge.from, [...(after.get(edge.from) ?? []), edge]);
  const isReached = new Set(edges.map(({ to }) => to));
  const listed = new Set<string>();
  const lineOf = (node: GraphNode, edge: GraphEdge | null): Line => {
    const next = after.get(node.id) ?? [];
    const isRepeated = listed.has(node.id) && next.length > 0;
    listed.add(node.id);
    const lines = isRepeated
      ? []
      : next.flatMap((each) => {
          const to = byId.get(each.to);
          return to === undefined ? [] : [lineOf(to, each)];
        });
    return { node, edge, isRepeated, lines };
  };
  return nodes.filter(({ id }) => !isReached.has(id)).map((node) => lineOf(node, null));
}
