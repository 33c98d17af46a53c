import { addressOf, type Changes } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Dialog } from "../../parts/dialog.js";
import { Fact, Facts } from "../../parts/facts.js";
import { Instant } from "../../parts/instant.js";
import { Fault } from "../../parts/states.js";
import { has } from "../../session.js";
import { explorerLinks } from "./explorerLinks.js";
import { say } from "./say.js";

type EventAnswer = Schemas["EventAnswer"];

/** One event with its data, and where it leads. */
export function EventDetail({ position, onClose }: { readonly position: string; readonly onClose: () => void }) {
  const answer = useAnswer(position, (signal) =>
    api.GET("/api/admin/events/page", { params: { query: { from: position, order: "asc", count: 1 } }, signal }),
  );
  const event = answer.data?.events.find((found) => found.position === position);
  return (
    <Dialog title={event?.type ?? say("title")} onClose={onClose} size="wide">
      <Answered answer={answer}>
        {() => (event === undefined ? <Fault>{say("noSuch", { position })}</Fault> : <Told event={event} />)}
      </Answered>
    </Dialog>
  );
}

function Told({ event }: { readonly event: EventAnswer }) {
  const { position, at, by, stream, revision, datasource, id, data, unreadable } = event;
  return (
    <>
      {unreadable !== undefined && <p class="fault">{say("unreadable", { reason: unreadable })}</p>}
      <Facts>
        <Fact name="Position">
          <code>{position}</code>
        </Fact>
        <Fact name={say("at")}>
          <Instant at={at} />
        </Fact>
        <Fact name={say("by")}>{by}</Fact>
        <Fact name={say("datasource")}>{datasource ?? "–"}</Fact>
        <Fact name={say("stream")}>
          <code>{stream}</code>
        </Fact>
        <Fact name={say("revision")}>{revision}</Fact>
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
        <Fact name="correlation_id">
          <code>{event.correlation_id}</code>
        </Fact>
        <Fact name="causation_id">
          <code>{event.causation_id}</code>
        </Fact>
      </Facts>
      <Links event={event} />
      <h3>{say("data")}</h3>
      {Object.keys(data).length === 0 ? (
        <p class="quiet">{say("noData")}</p>
      ) : (
        <pre class="event-data" tabIndex={0}>
          {JSON.stringify(data, null, 2)}
        </pre>
      )}
    </>
  );
}

function Links({ event }: { readonly event: EventAnswer }) {
  const links: readonly (readonly [label: string, to: Changes])[] = [
    [say("correlation"), { correlation_id: event.correlation_id, order: "asc" }],
    [say("caused"), { causation_id: event.id, order: "asc" }],
    [say("sameCause"), { causation_id: event.causation_id, order: "asc" }],
    [say("ofStream"), { stream: event.stream }],
    [say("around"), { from: event.position, order: "asc" }],
  ];
  const explorer = has("auditor") ? explorerLinks(event) : [];
  return (
    <ul class="event-links">
      {links.map(([label, to]) => (
        <li key={label}>
          <a href={addressOf("/events", to)}>{label}</a>
        </li>
      ))}
      {explorer.map(({ subject, to }) => (
        <li key={to}>
          <a href={to}>{say(subject === "document" ? "explorerDocument" : "explorerPerson")}</a>
        </li>
      ))}
    </ul>
  );
}
