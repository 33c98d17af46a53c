import { useMemo } from "preact/hooks";
import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Instant } from "../../parts/instant.js";
import { Busy, Fault } from "../../parts/states.js";
import { language, words } from "../../words.js";
import { momentOf } from "./asked.js";
import { nameOfMaker, useNames } from "./names.js";
import { Explorer } from "./picture/explorer.js";
import { useTitle } from "./useTitle.js";
import { addedBy, sentenceOfRequest, tryingAddress } from "./requests.js";

const say = words({
  en: {
    yes: "Yes",
    no: "No",
    yesNow: "{person} can see {document}.",
    noNow: "{person} cannot see {document}.",
    yesThen: "{person} could see {document}.",
    noThen: "{person} could not see {document}.",
    asOf: "As of",
    position: "position {position}",
    ended: "What ended it",
    change: "The smallest change that would grant it",
    changeThen: "The smallest change that would have granted it",
    tryIt: "See what else that would change",
    by: "by {who}",
    stillServed: "Still served",
    datasource_absent: "The datasource is not there.",
    document_absent: "The document is not there.",
    not_registered: "The person is not registered on the datasource.",
    no_grant: "The document grants them nothing, and no group of theirs.",
    group_absent: "The document grants only groups that are not there.",
    not_a_member: "The person is in none of the groups that the document grants.",
    being_projected: "It is granted, and served in a moment.",
    parked: "It is granted, and not served before an operator has dealt with a parked event.",
    served_differently: "It is granted, and what is served says otherwise.",
  },
  de: {
    yes: "Ja",
    no: "Nein",
    yesNow: "{person} kann {document} sehen.",
    noNow: "{person} kann {document} nicht sehen.",
    yesThen: "{person} konnte {document} sehen.",
    noThen: "{person} konnte {document} nicht sehen.",
    asOf: "Stand",
    position: "Position {position}",
    ended: "Was es beendet hat",
    change: "Die kleinste Änderung, die es gewähren würde",
    changeThen: "Die kleinste Änderung, die es gewährt hätte",
    tryIt: "Sehen, was das noch ändern würde",
    by: "durch {who}",
    stillServed: "Noch ausgeliefert",
    datasource_absent: "Die Datenquelle gibt es nicht.",
    document_absent: "Das Dokument gibt es nicht.",
    not_registered: "Die Person ist auf der Datenquelle nicht registriert.",
    no_grant: "Das Dokument gewährt weder ihr noch einer ihrer Gruppen Zugriff.",
    group_absent: "Das Dokument gewährt nur Gruppen Zugriff, die es nicht gibt.",
    not_a_member: "Die Person ist in keiner der Gruppen, denen das Dokument Zugriff gewährt.",
    being_projected: "Es ist gewährt und wird gleich ausgeliefert.",
    parked: "Es ist gewährt und wird erst ausgeliefert, wenn ein geparktes Ereignis behandelt ist.",
    served_differently: "Es ist gewährt, aber ausgeliefert wird etwas anderes.",
  },
});

interface VerdictProps {
  readonly document: string;
  readonly person: string;
  readonly at: string | null;
  readonly query: Query;
}

/** Whether a person sees a document, why, and what is missing where not. */
export function Verdict({ document, person, at, query }: VerdictProps) {
  const answer = useAnswer(`access ${document} ${person} ${at}`, (signal) =>
    api.GET("/api/audit/access", { params: { query: { document, user: person, ...momentOf(at) } }, signal }),
  );
  const missing = useMemo(() => (answer.data?.smallest_change ?? []).flatMap(addedBy), [answer.data]);
  if (answer.fault !== null) return <Fault again={answer.again}>{answer.fault}</Fault>;
  if (answer.data === null) return <Busy />;
  const decision = answer.data;
  return (
    <section class="verdict" aria-busy={answer.isBusy}>
      <Head decision={decision} document={document} person={person} isNow={at === null} />
      {decision.missing !== undefined && <MissingFact missing={decision.missing} />}
      {decision.still_served !== undefined && (
        <p class="warning" lang="en">
          <strong>{say("stillServed")}</strong> {decision.still_served.detail}
        </p>
      )}
      <Explorer asked={{ document, person, at }} query={query} missing={missing} />
      {decision.smallest_change !== undefined && decision.smallest_change.length > 0 && (
        <SmallestChange requests={decision.smallest_change} isNow={at === null} query={query} />
      )}
    </section>
  );
}

interface HeadProps {
  readonly decision: Schemas["AccessAnswer"];
  readonly document: string;
  readonly person: string;
  readonly isNow: boolean;
}

function Head({ decision: { has_access: isYes, at, position }, document, person, isNow }: HeadProps) {
  const title = useTitle(document);
  const sentence = isYes ? (isNow ? "yesNow" : "yesThen") : isNow ? "noNow" : "noThen";
  return (
    <div class="verdict-head" role="status">
      <span class={isYes ? "verdict-word good" : "verdict-word bad"}>{say(isYes ? "yes" : "no")}</span>
      <div>
        <h2>{say(sentence, { person, document: title })}</h2>
        <p class="quiet">
          {title !== document && <>{document} · </>}
          {say("asOf")} {at === null ? null : <Instant at={at} />} · {say("position", { position })}
        </p>
      </div>
    </div>
  );
}

/** English has the service's own sentence, which says more; other languages have theirs before it. */
function MissingFact({ missing: { kind, detail, ended } }: { readonly missing: Schemas["MissingFact"] }) {
  useNames(ended === undefined ? [] : [ended.by]);
  return (
    <div class="missing">
      {language.value !== "en" && <p>{say(kind)}</p>}
      <p lang="en">{detail}</p>
      {ended !== undefined && (
        <p>
          <span class="quiet">{say("ended")}: </span>
          <span lang="en">{ended.fact}</span>, <Instant at={ended.time} /> {say("by", { who: nameOfMaker(ended.by) })}
        </p>
      )}
    </div>
  );
}

interface SmallestChangeProps {
  readonly requests: readonly Schemas["ChangeRequest"][];
  readonly isNow: boolean;
  readonly query: Query;
}

function SmallestChange({ requests, isNow, query }: SmallestChangeProps) {
  return (
    <div class="card stack smallest">
      <h3>{say(isNow ? "change" : "changeThen")}</h3>
      <ol>
        {requests.map((request) => (
          <li key={request.path}>
            {sentenceOfRequest(request)}
            <details>
              <summary>
                <code>
                  {request.method} {request.path}
                </code>
              </summary>
              <pre>{JSON.stringify(request.body, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
      <div class="actions">
        <a class="button small" href={tryingAddress(query, requests)}>
          {say("tryIt")}
        </a>
      </div>
    </div>
  );
}
