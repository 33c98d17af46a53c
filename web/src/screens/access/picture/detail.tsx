import { addressOf, type Query } from "../../../address.js";
import { Instant } from "../../../parts/instant.js";
import { has } from "../../../session.js";
import { words } from "../../../words.js";
import { accessAddress, momentOf, type Asked } from "../asked.js";
import type { Link } from "../links.js";
import { nameOfMaker } from "../names.js";
import { removalOf, tryingAddress } from "../requests.js";
import { kindOf, nameOf, say, sentenceOfLink } from "../say.js";
import type { GraphEdge, GraphNode } from "./graph.js";
import type { Chosen } from "./picture.js";

const own = words({
  en: {
    choose: "Choose a place or a link to learn more of it.",
    by: "by {who}",
    position: "Event {event}, position {position}",
    exposure: "What this alone made visible",
    moment: "Look at that moment",
    without: "What if it were taken away?",
    who: "Who can see it?",
    what: "What can they see?",
    both: "Why can they see it?",
    missing: "This link is missing.",
    viaDefault: "No permissions were sent with it, so the datasource's default decided.",
  },
  de: {
    choose: "Wählen Sie einen Ort oder eine Verbindung, um mehr zu erfahren.",
    by: "durch {who}",
    position: "Ereignis {event}, Position {position}",
    exposure: "Was allein dadurch sichtbar wurde",
    moment: "Diesen Moment ansehen",
    without: "Was wäre ohne sie?",
    who: "Wer kann es sehen?",
    what: "Was kann diese Person sehen?",
    both: "Warum kann diese Person es sehen?",
    missing: "Diese Verbindung fehlt.",
    viaDefault: "Es kam ohne Berechtigungen, also entschied die Vorgabe der Datenquelle.",
  },
});

interface DetailProps {
  readonly chosen: Chosen | null;
  /** Links of a member of an open fan. */
  readonly edgesOf: (node: GraphNode) => readonly GraphEdge[];
  readonly asked: Asked;
  readonly query: Query;
}

/** What is known of the place or the link that was chosen. */
export function Detail({ chosen, edgesOf, asked, query }: DetailProps) {
  return (
    <div class="detail" role="status">
      {chosen === null && <p class="quiet">{own("choose")}</p>}
      {chosen?.kind === "edge" && <EdgeDetail edge={chosen.edge} query={query} />}
      {chosen?.kind === "node" && (
        <>
          <NodeDetail node={chosen.node} asked={asked} />
          {edgesOf(chosen.node).map((edge) => (
            <EdgeDetail key={edge.id} edge={edge} query={query} />
          ))}
        </>
      )}
    </div>
  );
}

function EdgeDetail({ edge, query }: { readonly edge: GraphEdge; readonly query: Query }) {
  if (edge.link === null) return edge.isMissing ? <p>{own("missing")}</p> : null;
  return <LinkDetail link={edge.link} query={query} />;
}

function LinkDetail({ link, query }: { readonly link: Link; readonly query: Query }) {
  const removal = removalOf(link);
  return (
    <div class="detail-link">
      <p>
        <strong>{sentenceOfLink(link)}</strong>
      </p>
      <p>
        <Instant at={link.time} /> {own("by", { who: nameOfMaker(link.by) })}
      </p>
      <p class="quiet">
        {has("operator") ? (
          <a href={addressOf("/events", { stream: link.stream, event: link.position })}>{eventWords(link)}</a>
        ) : (
          eventWords(link)
        )}
      </p>
      <div class="actions">
        <button type="button" class="small" onClick={() => query.set({ exposure: exposureOf(link) })}>
          {own("exposure")}
        </button>
        {removal !== null && (
          <a class="button small" href={tryingAddress(query, [removal])}>
            {own("without")}
          </a>
        )}
        <button type="button" class="plain small" onClick={() => query.set({ at: link.position })}>
          {own("moment")}
        </button>
      </div>
    </div>
  );
}

const eventWords = ({ event, position }: Link): string => own("position", { event, position });

/** How the address names a link whose exposure is asked for: a grant by document and target, others by their event. */
function exposureOf({ link, from, to, position }: Link): string {
  if (link !== "grant") return position;
  const target = to.kind === "everybody" ? "anonymous" : to.kind === "person" ? `user:${to.name}` : `group:${to.name}`;
  return `${target} ${from.name}`;
}

function NodeDetail({ node, asked }: { readonly node: GraphNode; readonly asked: Asked }) {
  const at = momentOf(asked.at);
  return (
    <>
      <p>
        <span class="quiet">{kindOf(node)}</span>
        <br />
        <strong>{node.fan === null ? node.name : nameOf(node)}</strong>
      </p>
      {node.kind === "person" && (
        <div class="actions">
          {asked.document !== null && asked.person !== node.name && (
            <a class="button small" href={accessAddress({ document: asked.document, person: node.name, ...at })}>
              {own("both")}
            </a>
          )}
          <a class="button small" href={accessAddress({ person: node.name, ...at })}>
            {own("what")}
          </a>
        </div>
      )}
      {node.kind === "document" && (
        <div class="actions">
          {asked.person !== null && asked.document !== node.name && (
            <a class="button small" href={accessAddress({ document: node.name, person: asked.person, ...at })}>
              {own("both")}
            </a>
          )}
          <a class="button small" href={accessAddress({ document: node.name, ...at })}>
            {own("who")}
          </a>
        </div>
      )}
      {node.fan !== null && !node.fan.canOpen && (
        <p class="quiet">{say("shown", { count: 0, total: node.fan.count })}</p>
      )}
    </>
  );
}
