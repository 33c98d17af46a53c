import type { Link, Place } from "../links.js";

/** A place of the picture. */
export interface GraphNode {
  readonly id: string;
  /** `fan`: several places, drawn as their number. */
  readonly kind: Place["kind"] | "fan";
  /** As the API writes it; a fan's name is what `open` holds. */
  readonly name: string;
  readonly isAbsent: boolean;
  /** One that was asked about. */
  readonly isAsked: boolean;
  readonly fan: Fan | null;
}

/** Several places of one kind with the same neighbours. */
export interface Fan {
  readonly count: number;
  readonly of: Place["kind"];
  /** Whether it can be opened here. */
  readonly canOpen: boolean;
  /** Each of them, where the fan is open. */
  readonly members: readonly Member[] | null;
}

/** One place of an open fan, with the links that lead to it and from it. */
export interface Member {
  readonly node: GraphNode;
  readonly edges: readonly GraphEdge[];
}

/** A link of the picture. */
export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** null for one that is missing, or that stands for several. */
  readonly link: Link | null;
  readonly isMissing: boolean;
}

/** What is drawn, and listed beside. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A link that a change would add. */
export interface MissingLink {
  readonly from: Pick<Place, "kind" | "name">;
  readonly to: Pick<Place, "kind" | "name">;
}

interface GraphOptions {
  readonly links: readonly Link[];
  readonly missing: readonly MissingLink[];
  /** Documents and people that are there whether a link leads to them or not. */
  readonly asked: readonly Pick<Place, "kind" | "name">[];
  /** The fans that are to be open. */
  readonly open: ReadonlySet<string>;
}

/** Up to so many places of one kind with the same neighbours are drawn one by one; more are a number. */
const mostApart = 6;
/** In a picture with more places, those that are merely alike become fans, too. */
const mostAtAll = 60;

const idOf = ({ kind, name }: Pick<Place, "kind" | "name">): string => `${kind} ${name}`;

/** Makes a graph of links: places once, and large fans behind their number. */
export function graphOf({ links, missing, asked, open }: GraphOptions): Graph {
  const distinct = new Map(links.map((link) => [`${idOf(link.from)} > ${idOf(link.to)}`, link]));
  const askedIds = new Set(asked.map(idOf));
  const nodes = new Map<string, GraphNode>();
  const add = (place: Pick<Place, "kind" | "name" | "absent">): void => {
    const id = idOf(place);
    const known = nodes.get(id);
    if (known !== undefined && !(place.absent === true && !known.isAbsent)) return;
    const isAbsent = place.absent === true;
    nodes.set(id, { id, kind: place.kind, name: place.name, isAbsent, isAsked: askedIds.has(id), fan: null });
  };
  for (const place of asked) add(place);
  for (const { from, to } of [...distinct.values(), ...missing]) [from, to].forEach(add);
  const edges: GraphEdge[] = [
    ...[...distinct].map(([id, link]) => ({ id, from: idOf(link.from), to: idOf(link.to), link, isMissing: false })),
    ...missing.map(({ from, to }) => ({
      ...{ id: `missing ${idOf(from)} > ${idOf(to)}`, from: idOf(from), to: idOf(to) },
      ...{ link: null, isMissing: true },
    })),
  ];
  const counted = countsOf([...distinct.values()], nodes, edges);
  return gatherFans({ nodes: [...nodes.values(), ...counted.nodes], edges: [...edges, ...counted.edges] }, open);
}

/** What is behind a place, and not drawn: people of a group, or documents that grant it something. */
function countsOf(links: readonly Link[], nodes: ReadonlyMap<string, GraphNode>, edges: readonly GraphEdge[]): Graph {
  const places = new Map(links.flatMap(({ from, to }) => [from, to]).map((place) => [idOf(place), place]));
  const kindsAt = (id: string, near: "from" | "to", far: "from" | "to", kind: string): number =>
    edges.filter((edge) => edge[near] === id && nodes.get(edge[far])?.kind === kind).length;
  const fans = [...places].flatMap(([id, place]) => {
    const people = (place.people ?? 0) - kindsAt(id, "from", "to", "person");
    const documents = (place.documents ?? 0) - kindsAt(id, "to", "from", "document");
    return [
      ...(people > 0 ? [stub(place, "people", people)] : []),
      ...(documents > 0 ? [stub(place, "documents", documents)] : []),
    ];
  });
  return { nodes: fans.map(({ node }) => node), edges: fans.map(({ edge }) => edge) };
}

function stub(place: Place, of: "people" | "documents", count: number): { node: GraphNode; edge: GraphEdge } {
  const name = `${of} ${place.name}`;
  const id = `fan ${place.kind} ${name}`;
  const kind = of === "people" ? "person" : "document";
  const ends = of === "people" ? { from: idOf(place), to: id } : { from: id, to: idOf(place) };
  return {
    node: {
      ...{ id, kind: "fan", name, isAbsent: false, isAsked: false },
      fan: { count, of: kind, canOpen: place.kind === "group", members: null },
    },
    edge: { id: `${ends.from} > ${ends.to}`, ...ends, link: null, isMissing: false },
  };
}

/** What a fan is made of: places with the same key; null for one that stays apart. */
type KeyOf = (node: GraphNode) => string | null;

/**
 * Puts places of one kind into fans: those with the same neighbours, where they are many; and where the picture is
 * large still, those whose neighbours are alike.
 */
function gatherFans(graph: Graph, open: ReadonlySet<string>): Graph {
  const near = neighboursOf(graph);
  const isFan = ({ fan }: GraphNode): boolean => fan !== null;
  const first = gather(graph, graph, open, (node) => (isFan(node) ? null : keyByNeighbours(node, near)));
  if (first.nodes.length <= mostAtAll) return first;
  const likeness = likenessIn(first);
  return gather(first, graph, open, ({ id }) => likeness.get(id) ?? null);
}

function gather({ nodes, edges }: Graph, whole: Graph, open: ReadonlySet<string>, keyOf: KeyOf): Graph {
  const alike = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const key = node.isAsked ? null : keyOf(node);
    if (key !== null) alike.set(key, [...(alike.get(key) ?? []), node]);
  }
  const near = neighboursOf(whole);
  const gathered = new Map<string, GraphNode>();
  for (const [key, group] of alike) {
    if (group.length <= mostApart) continue;
    const node = fanOf(key, group, whole, { open, near });
    for (const { id } of group) gathered.set(id, node);
  }
  return redirected(nodes, edges, gathered);
}

function fanOf(
  key: string,
  group: readonly GraphNode[],
  { edges }: Graph,
  { open, near }: { readonly open: ReadonlySet<string>; readonly near: Near },
): GraphNode {
  const [first] = group as [GraphNode];
  const name = openedBy(first, near, open) ?? `together ${hashOf(key)}`;
  const single = group.filter(({ fan }) => fan === null);
  const membersOf = (node: GraphNode): readonly Member[] =>
    node.fan === null ? [{ node, edges: edgesAt(edges, node.id) }] : (node.fan.members ?? []);
  const fan: Fan = {
    count: group.reduce((sum, node) => sum + (node.fan?.count ?? 1), 0),
    of: first.fan?.of ?? (first.kind as Place["kind"]),
    canOpen: single.length > 0,
    members: open.has(name) ? group.flatMap(membersOf) : null,
  };
  return { id: `fan ${key}`, kind: "fan", name, isAbsent: first.isAbsent, isAsked: false, fan };
}

const edgesAt = (edges: readonly GraphEdge[], id: string): readonly GraphEdge[] =>
  edges.filter(({ from, to }) => from === id || to === id);

type Near = (id: string, end: "from" | "to") => readonly string[];

/** The places at the other ends of the links that begin (`from`) or end (`to`) at a place. */
function neighboursOf({ nodes, edges }: Graph): Near {
  const known = new Map(nodes.map(({ id }) => [id, { from: [] as string[], to: [] as string[] }]));
  for (const { from, to } of edges) {
    known.get(from)?.from.push(to);
    known.get(to)?.to.push(from);
  }
  return (id, end) => known.get(id)?.[end] ?? [];
}

const keyByNeighbours = ({ id, kind, isAbsent }: GraphNode, near: Near): string =>
  `${kind} ${isAbsent} ${near(id, "to").toSorted().join("|")} > ${near(id, "from").toSorted().join("|")}`;

/** Rounds after which places that still look alike count as alike. */
const rounds = 6;

/** Places that cannot be told apart by what they are, what is near them, and what is near that. */
function likenessIn(graph: Graph): ReadonlyMap<string, string> {
  const near = neighboursOf(graph);
  const ownOf = ({ id, kind, fan, isAsked, isAbsent }: GraphNode): string =>
    isAsked ? id : `${kind} ${fan?.of} ${isAbsent}`;
  let likeness = new Map(graph.nodes.map((node) => [node.id, ownOf(node)]));
  for (let round = 0; round < rounds; round++) {
    const before = likeness;
    const around = (id: string, end: "from" | "to"): string =>
      [...new Set(near(id, end).map((other) => before.get(other) ?? ""))].toSorted().join("|");
    likeness = new Map(
      graph.nodes.map((node) => [
        node.id,
        node.isAsked ? node.id : hashOf(`${ownOf(node)} ${around(node.id, "to")} > ${around(node.id, "from")}`),
      ]),
    );
  }
  return likeness;
}

/** The count that these places were behind before it was opened; null: they were behind none. */
function openedBy({ id, kind }: GraphNode, near: Near, open: ReadonlySet<string>): string | null {
  const nameOf = (other: string): string => other.slice(other.indexOf(" ") + 1);
  const names =
    kind === "person"
      ? near(id, "to").map((other) => `people ${nameOf(other)}`)
      : near(id, "from").map((other) => `documents ${nameOf(other)}`);
  return kind === "person" || kind === "document" ? (names.find((name) => open.has(name)) ?? null) : null;
}

function redirected(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  gathered: ReadonlyMap<string, GraphNode>,
): Graph {
  const shown = [...nodes.filter(({ id }) => !gathered.has(id)), ...new Set(gathered.values())];
  const kept = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const [from, to] = [gathered.get(edge.from)?.id ?? edge.from, gathered.get(edge.to)?.id ?? edge.to];
    const isUnchanged = from === edge.from && to === edge.to;
    const id = isUnchanged ? edge.id : `${from} > ${to}`;
    kept.set(id, isUnchanged ? edge : { id, from, to, link: null, isMissing: edge.isMissing });
  }
  return { nodes: shown, edges: [...kept.values()] };
}

/** A short name for a long one, the same in every browser. */
function hashOf(text: string): string {
  let hash = 5381;
  for (const character of text) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
}
