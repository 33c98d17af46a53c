import { useMemo, useState } from "preact/hooks";
import type { Query } from "../../../address.js";
import { Busy, Fault } from "../../../parts/states.js";
import { momentOf, type Asked } from "../asked.js";
import { useLinks, useOpened, type Place } from "../links.js";
import { useNames } from "../names.js";
import { say } from "../say.js";
import { Detail } from "./detail.js";
import { graphOf, type Graph, type GraphEdge, type GraphNode, type MissingLink } from "./graph.js";
import { Picture, type Chosen } from "./picture.js";
import { Twin } from "./twin.js";

interface ExplorerProps {
  readonly asked: Pick<Asked, "document" | "person" | "at">;
  readonly query: Query;
  /** Links that are missing for a yes. */
  readonly missing?: readonly MissingLink[];
}

const none: readonly MissingLink[] = [];

/** The picture of a question, what is known of its parts, and its twin as a list. */
export function Explorer({ asked, query, missing = none }: ExplorerProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { links, opened, graph } = useGraph(asked, query.all("open"), missing);
  if (links.fault !== null) return <Fault again={links.again}>{links.fault}</Fault>;
  if (links.data === null) return <Busy />;
  const { items, total } = links.data;
  if (items.length === 0 && missing.length === 0) return null;
  const toggle = (name: string): void => {
    const open = query.all("open");
    query.set({ open: open.includes(name) ? open.filter((each) => each !== name) : [...open, name] }, "replace");
  };
  return (
    <div class="explorer" aria-busy={links.isBusy || opened.isBusy}>
      {opened.fault !== null && <Fault again={opened.again}>{opened.fault}</Fault>}
      {total > items.length && <p class="quiet">{say("mostShown", { count: items.length, total })}</p>}
      <Picture graph={graph} chosen={idOf(chosen)} onChoose={setChosen} onToggle={toggle} />
      <Detail
        chosen={chosen}
        edgesOf={(node) => edgesOf(graph, node)}
        asked={{ ...asked, other: null }}
        query={query}
      />
      <Twin graph={graph} onToggle={toggle} />
    </div>
  );
}

/** The graph of what is asked, with the fans that are open. */
function useGraph(
  { document, person, at }: ExplorerProps["asked"],
  open: readonly string[],
  missing: readonly MissingLink[],
) {
  const links = useLinks({
    ...(document !== null && { document }),
    ...(person !== null && { user: person }),
    ...momentOf(at),
  });
  const opened = useOpened(open, momentOf(at));
  const items = useMemo(() => [...(links.data?.items ?? []), ...(opened.data ?? [])], [links.data, opened.data]);
  const openKey = open.join("\n");
  const graph = useMemo(
    () => graphOf({ links: items, missing, asked: askedPlaces(document, person), open: new Set(openKey.split("\n")) }),
    [items, missing, document, person, openKey],
  );
  useNames(items.map(({ by }) => by));
  return { links, opened, graph };
}

function idOf(chosen: Chosen | null): string | null {
  if (chosen === null) return null;
  return chosen.kind === "node" ? chosen.node.id : chosen.edge.id;
}

function askedPlaces(document: string | null, person: string | null): readonly Pick<Place, "kind" | "name">[] {
  return [
    ...(document === null ? [] : [{ kind: "document" as const, name: document }]),
    ...(person === null ? [] : [{ kind: "person" as const, name: person.toLowerCase() }]),
  ];
}

/** The links of a member of an open fan, which the picture draws as one. */
function edgesOf({ nodes }: Graph, { id }: GraphNode): readonly GraphEdge[] {
  for (const { fan } of nodes) {
    const member = fan?.members?.find(({ node }) => node.id === id);
    if (member !== undefined) return member.edges;
  }
  return [];
}
