import { Graph as Laid, layout } from "@dagrejs/dagre";
import type { Graph } from "./graph.js";
import { labelSize, sizeOf, type Direction, type Layout, type Point } from "./layout.js";

/** With more links, words on them would be noise: they are told when one looks at a link. */
const mostWithLabels = 24;
const margin = 8;
/** Beyond this, the best order costs more than it gives. */
const mostForBestOrder = 150;

/** Lays a graph out in ranks, from the document to the people. */
export function layOut({ nodes, edges }: Graph, direction: Direction): Layout {
  const hasLabels = edges.length <= mostWithLabels;
  const laid = new Laid({ multigraph: true });
  laid.setGraph({
    rankdir: direction === "across" ? "LR" : "TB",
    ...{ nodesep: 14, edgesep: 10, ranksep: hasLabels ? 28 : 72, marginx: margin, marginy: margin },
    ...(nodes.length > mostForBestOrder && { ranker: "longest-path" }),
  });
  laid.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) laid.setNode(node.id, { ...sizeOf(node, direction) });
  for (const { id, from, to } of edges) laid.setEdge(from, to, hasLabels ? { ...labelSize, labelpos: "c" } : {}, id);
  layout(laid);
  const { width = 0, height = 0 } = laid.graph() as { width?: number; height?: number };
  const edgeOf = ({ from, to, id }: Graph["edges"][number]) =>
    laid.edge(from, to, id) as unknown as { points: Point[]; x?: number; y?: number };
  return {
    ...{ direction, width, height, hasLabels },
    places: new Map(nodes.map(({ id }) => [id, laid.node(id) as unknown as Point])),
    lines: new Map(edges.map((edge) => [edge.id, edgeOf(edge).points])),
    labels: new Map(
      edges.flatMap((edge) => {
        const { x, y } = edgeOf(edge);
        return x === undefined || y === undefined ? [] : [[edge.id, { x, y }] as const];
      }),
    ),
  };
}
