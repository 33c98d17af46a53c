import { useQuery } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { Instant } from "../../parts/instant.js";
import { LongList, pageIn } from "../../parts/longList.js";
import { Page } from "../../parts/page.js";
import { Empty } from "../../parts/states.js";
import { askedIn, type Asked } from "./asked.js";
import { EventDetail } from "./detail.js";
import "./events.css";
import { Filters } from "./filters.js";
import { say } from "./say.js";

type EventAnswer = Schemas["EventAnswer"];

const perPage = 100;

/** The log, to be looked through: what it holds is in the address, so that a link shows the same. */
export function Events() {
  const query = useQuery();
  const asked = askedIn(query);
  const opened = query.get("event");
  return (
    <Page title={say("title")}>
      <Filters key={JSON.stringify(asked)} asked={asked} />
      <LongList
        label={say("list")}
        listKey={JSON.stringify(asked)}
        load={(next, signal) => pageOf(asked, next, signal)}
        keyOf={({ position }) => position}
        row={(event) => <Row event={event} onOpen={() => query.set({ event: event.position })} />}
        empty={
          <Empty title={say("none")}>
            <p>{say("noneDo")}</p>
          </Empty>
        }
      />
      {opened !== null && <EventDetail key={opened} position={opened} onClose={() => query.set({ event: null })} />}
    </Page>
  );
}

async function pageOf(asked: Asked, next: string | null, signal: AbortSignal) {
  const query = { ...asked, count: perPage, ...(next !== null && { next }) };
  return pageIn(await api.GET("/api/admin/events/page", { params: { query }, signal }), ({ events }) => events);
}

function Row({ event, onOpen }: { readonly event: EventAnswer; readonly onOpen: () => void }) {
  const { position, at, type, stream, datasource, by } = event;
  return (
    <>
      <span class="event-time">
        <Instant at={at} />
      </span>
      <button type="button" class="plain event-type" onClick={onOpen} data-position={position}>
        {type}
      </button>
      <span class="grow quiet">
        {datasource !== null && <strong>{datasource} </strong>}
        {stream}
      </span>
      <span class="quiet">{by}</span>
    </>
  );
}
