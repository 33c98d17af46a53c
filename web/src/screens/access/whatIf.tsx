import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { Table } from "../../parts/table.js";
import { words } from "../../words.js";
import { accessAddress } from "./asked.js";
import { More } from "./more.js";
import { sentenceOfRequest, triedIn, tryingAddress, type TriedRequest } from "./requests.js";
import { viaText } from "./say.js";
import { usePages } from "./usePages.js";
import { WhatIfForm } from "./whatIfForm.js";

const say = words({
  en: {
    title: "What if?",
    lead: "Put changes together, and see who would gain or lose sight of what. Nothing is written.",
    tried: "Tried, one after the other",
    remove: "Leave this out",
    refused: "would be refused: {detail}",
    gains: "{count} would be gained",
    losses: "{count} would be lost",
    atLeast: "at least",
    none: "It would change nothing that anybody sees.",
    change: "Change",
    who: "Who",
    what: "What",
    via: "By what",
    gain: "gains",
    loss: "loses",
    clear: "Leave all out",
  },
  de: {
    title: "Was wäre, wenn?",
    lead: "Stellen Sie Änderungen zusammen und sehen Sie, wer was sehen könnte oder nicht mehr. Nichts wird geschrieben.",
    tried: "Versucht, eine nach der anderen",
    remove: "Diese weglassen",
    refused: "würde abgelehnt: {detail}",
    gains: "{count} kämen hinzu",
    losses: "{count} fielen weg",
    atLeast: "mindestens",
    none: "Es würde nichts an dem ändern, was jemand sieht.",
    change: "Änderung",
    who: "Wer",
    what: "Was",
    via: "Wodurch",
    gain: "bekommt",
    loss: "verliert",
    clear: "Alle weglassen",
  },
});

/** Changes that are tried, and what they would come to. Which they are stands in the address. */
export function WhatIf({ query, document }: { readonly query: Query; readonly document: string | null }) {
  const requests = triedIn(query);
  const go = (next: readonly TriedRequest[]): void =>
    query.set({ try: next.map((request) => JSON.stringify(request)) });
  return (
    <details class="card what-if" open={requests.length > 0}>
      <summary>
        <h2>{say("title")}</h2>
      </summary>
      <div class="stack">
        <p class="quiet">{say("lead")}</p>
        <WhatIfForm document={document} onAdd={(request) => go([...requests, request])} />
        {requests.length > 0 && <Outcome requests={requests} query={query} onChange={go} />}
      </div>
    </details>
  );
}

interface OutcomeProps {
  readonly requests: readonly TriedRequest[];
  readonly query: Query;
  readonly onChange: (next: readonly TriedRequest[]) => void;
}

function Outcome({ requests, query, onChange }: OutcomeProps) {
  const key = JSON.stringify(requests);
  const pages = usePages<Schemas["WhatIfItem"], Schemas["WhatIfAnswer"]>(`what-if ${key}`, (next, signal) =>
    api.POST("/api/audit/what-if", {
      params: { query: next === undefined ? {} : { next } },
      body: { requests: [...requests] },
      signal,
    }),
  );
  const { first } = pages;
  return (
    <>
      <h3>{say("tried")}</h3>
      <ol class="tried">
        {requests.map((request, index) => (
          <li key={JSON.stringify(request)}>
            <span>{sentenceOfRequest(request)}</span>
            <Refusal outcome={first?.outcomes[index]} />
            <a
              class="button plain small"
              href={tryingAddress(
                query,
                requests.filter((_each, other) => other !== index),
              )}
            >
              {say("remove")}
            </a>
          </li>
        ))}
      </ol>
      {first !== null && <Totals answer={first} />}
      {pages.items.length > 0 && <Differences items={pages.items} />}
      <More of={pages} />
      <div class="actions">
        <button type="button" class="plain" onClick={() => onChange([])}>
          {say("clear")}
        </button>
      </div>
    </>
  );
}

function Refusal({ outcome }: { readonly outcome: Schemas["TriedOutcome"] | undefined }) {
  if (outcome === undefined || outcome.status < 400) return null;
  return (
    <span class="state-text bad" lang="en">
      {say("refused", { detail: outcome.detail ?? String(outcome.status) })}
    </span>
  );
}

function Totals({ answer }: { readonly answer: Schemas["WhatIfAnswer"] }) {
  const { total_gains: gains, total_losses: losses, total_relation: relation } = answer;
  if (gains + losses === 0) return <p role="status">{say("none")}</p>;
  const prefix = relation === "gte" ? `${say("atLeast")} ` : "";
  return (
    <p role="status">
      <span class="state good">
        {prefix}
        {say("gains", { count: gains })}
      </span>{" "}
      <span class="state bad">
        {prefix}
        {say("losses", { count: losses })}
      </span>
    </p>
  );
}

const Differences = ({ items }: { readonly items: readonly Schemas["WhatIfItem"][] }) => (
  <Table
    label={say("title")}
    items={items}
    keyOf={({ change, user_email: email, document }) => `${change} ${email} ${document}`}
    columns={[
      {
        name: say("change"),
        cell: ({ change }) => (
          <span class={`state ${change === "gains" ? "good" : "bad"}`}>
            {say(change === "gains" ? "gain" : "loss")}
          </span>
        ),
      },
      { name: say("who"), cell: ({ user_email: email }) => email },
      {
        name: say("what"),
        cell: ({ user_email: person, document }) => <a href={accessAddress({ document, person })}>{document}</a>,
      },
      { name: say("via"), cell: ({ via }) => viaText(via) },
    ]}
  />
);
