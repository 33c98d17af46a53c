import { useState } from "preact/hooks";
import { addressOf } from "../../address.js";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Confirm } from "../../parts/dialog.js";
import { Fault } from "../../parts/states.js";
import { pathOf, type Projection } from "./live.js";
import { say } from "./say.js";

type ParkedEvent = Schemas["ParkedAnswer"]["parked"][number];

/** Events that could not be applied, and what to do about each. */
export function Parked({ projection: { name, parked } }: { readonly projection: Projection }) {
  const answer = useAnswer(`${name} ${parked}`, (signal) =>
    api.GET("/api/admin/projections/{name}/parked", { ...pathOf(name), signal }),
  );
  const [fault, setFault] = useState<string | null>(null);
  const [discarded, setDiscarded] = useState<string | null>(null);
  /** null: all of them. */
  const retry = async (position: string | null): Promise<void> => {
    const body = position === null ? {} : { position };
    setFault(faultIn(await api.POST("/api/admin/projections/{name}/parked/retry", { ...pathOf(name), body })));
    answer.again();
  };
  return (
    <section class="stack">
      <h2>{say("parkedTitle")}</h2>
      {fault !== null && <Fault>{fault}</Fault>}
      <Answered
        answer={answer}
        isEmpty={({ parked: events }) => events.length === 0}
        empty={<p class="quiet">{say("parkedNone")}</p>}
      >
        {({ parked: events }) => (
          <>
            <p>{say("parkedWhat")}</p>
            <div class="actions">
              <button type="button" onClick={() => void retry(null)}>
                {say("retryAll")}
              </button>
            </div>
            <ul class="stack plain-list">
              {events.map((event) => (
                <Event
                  key={event.position}
                  event={event}
                  onRetry={() => void retry(event.position)}
                  onDiscard={() => setDiscarded(event.position)}
                />
              ))}
            </ul>
          </>
        )}
      </Answered>
      {discarded !== null && (
        <Discarding
          name={name}
          position={discarded}
          onClose={() => {
            setDiscarded(null);
            answer.again();
          }}
        />
      )}
    </section>
  );
}

interface EventProps {
  readonly event: ParkedEvent;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

const Event = ({ event, onRetry, onDiscard }: EventProps) => (
  <li class="card stack">
    <p>
      <a href={addressOf("/events", { from: event.position, event: event.position })}>
        {event.event} · <code>{event.position}</code>
      </a>{" "}
      <span class="quiet">{event.stream}</span>
    </p>
    <p>{event.error}</p>
    <div class="actions">
      <button type="button" onClick={onRetry}>
        {say("retry")}
      </button>
      {event.may_be_discarded ? (
        <button type="button" class="danger" onClick={onDiscard}>
          {say("discard")}
        </button>
      ) : (
        <span class="quiet">{say("notDiscardable")}</span>
      )}
    </div>
  </li>
);

interface DiscardingProps {
  readonly name: string;
  readonly position: string;
  readonly onClose: () => void;
}

/** Asks before an event is left out, which cannot be undone. */
const Discarding = ({ name, position, onClose }: DiscardingProps) => (
  <Confirm
    title={say("discardTitle", { position })}
    act={say("discard")}
    onClose={onClose}
    onConfirm={async () =>
      faultIn(await api.POST("/api/admin/projections/{name}/parked/discard", { ...pathOf(name), body: { position } }))
    }
  >
    <p>{say("discardWhat")}</p>
  </Confirm>
);
