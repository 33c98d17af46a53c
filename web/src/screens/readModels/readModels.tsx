import { addressOf, useQuery } from "../../address.js";
import { Instant } from "../../parts/instant.js";
import { Page } from "../../parts/page.js";
import { Busy, Fault } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Detail } from "./detail.js";
import { useLive, type Live, type Standing } from "./live.js";
import "./readModels.css";
import { say } from "./say.js";
import { lagOf, State } from "./state.js";

/** Where read models stand, live, and what can be done with each. */
export function ReadModels() {
  const live = useLive();
  const name = useQuery().get("name");
  const chosen = live.standing?.projections.find((projection) => projection.name === name);
  return (
    <Page title={chosen === undefined ? say("title") : chosen.name}>
      <Connection live={live} />
      {chosen === undefined || live.standing === null ? (
        live.standing !== null && <Overview standing={live.standing} />
      ) : (
        <Detail
          key={chosen.name}
          projection={chosen}
          unit={live.standing.log_unit}
          samples={live.samples.get(chosen.name) ?? []}
        />
      )}
    </Page>
  );
}

function Connection({ live: { connection, again } }: { readonly live: Live }) {
  if (connection === "opening") return <Busy what={say("opening")} />;
  if (connection === "lost")
    return (
      <p class="warning" role="status">
        {say("lost")}
      </p>
    );
  return connection === "refused" ? <Fault again={again}>{say("refused")}</Fault> : null;
}

const Overview = ({ standing }: { readonly standing: Standing }) => (
  <>
    <Table
      label={say("title")}
      items={standing.projections}
      keyOf={({ name }) => name}
      columns={[
        { name: say("name"), cell: ({ name }) => <a href={addressOf("/read-models", { name })}>{name}</a> },
        { name: say("state"), cell: (projection) => <State projection={projection} /> },
        { name: say("lag"), cell: lagOf },
        { name: say(standing.log_unit === "events" ? "rate" : "rateBytes"), cell: ({ rate }) => rate ?? "–" },
        { name: say("parked"), cell: ({ parked }) => parked ?? "–" },
        { name: say("version"), cell: ({ kind, version }) => (kind === "reaction" ? "–" : version) },
      ]}
    />
    <Removals removals={standing.bulk_removals ?? []} />
  </>
);

function Removals({ removals }: { readonly removals: NonNullable<Standing["bulk_removals"]> }) {
  if (removals.length === 0) return null;
  return (
    <section class="stack">
      <h2>{say("removals")}</h2>
      <ul class="stack plain-list">
        {removals.map((removal) => (
          <li key={`${removal.datasource} ${removal.to}`} class="card row">
            <strong>{removal.datasource}</strong>
            <span>
              {say("removal", {
                ...{ documents: removal.documents.removed, of: removal.documents.of },
                ...{ grants: removal.grants.removed, ofGrants: removal.grants.of, by: removal.credential },
              })}
            </span>
            <Instant at={removal.at} />
            <a href={addressOf("/events", { from: removal.from, order: "asc" })}>{say("see")}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
