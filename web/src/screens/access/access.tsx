import { useQuery, type Query } from "../../address.js";
import { Page } from "../../parts/page.js";
import { Empty } from "../../parts/states.js";
import { screenName } from "../../screenName.js";
import { words } from "../../words.js";
import "./access.css";
import { askedIn, type Asked } from "./asked.js";
import { AskForm } from "./askForm.js";
import { Exposure } from "./exposure.js";
import { Moments } from "./moments.js";
import { Verdict } from "./verdict.js";
import { WhatIf } from "./whatIf.js";
import { WhatIsSeen } from "./whatIsSeen.js";
import { WhoSees } from "./whoSees.js";

const say = words({
  en: {
    recorded: "What you look at here is recorded with your name: who was told what about whom, and when.",
    empty: "Who can see what, and why?",
    emptyHow:
      "Name a document to learn who can see it, a person to learn what they can see, or both to learn why, or why not. Every answer can be moved back to any moment of its history, and its address can be sent.",
  },
  de: {
    recorded: "Was Sie hier ansehen, wird mit Ihrem Namen festgehalten: wer wann was über wen erfahren hat.",
    empty: "Wer kann was sehen, und warum?",
    emptyHow:
      "Nennen Sie ein Dokument, um zu erfahren, wer es sehen kann; eine Person, um zu erfahren, was sie sehen kann; oder beide, um zu erfahren, warum oder warum nicht. Jede Antwort lässt sich an jeden Moment ihrer Geschichte zurückstellen, und ihre Adresse lässt sich verschicken.",
  },
});

/** The permission explorer: who can see what and why, at any moment. The address holds everything that is asked. */
export function Access() {
  const query = useQuery();
  const asked = askedIn(query);
  const exposure = query.get("exposure");
  const isAsked = asked.document !== null || asked.person !== null;
  return (
    <Page title={screenName("access")}>
      <p class="quiet access-recorded">{say("recorded")}</p>
      <AskForm asked={asked} query={query} />
      {!isAsked && (
        <Empty title={say("empty")}>
          <p>{say("emptyHow")}</p>
        </Empty>
      )}
      {isAsked && <Moments asked={asked} query={query} />}
      <Answers asked={asked} query={query} />
      <WhatIf query={query} document={asked.document} />
      {exposure !== null && <Exposure of={exposure} at={asked.at} query={query} />}
    </Page>
  );
}

function Answers({ asked, query }: { readonly asked: Asked; readonly query: Query }) {
  const people = [asked.person, asked.other].filter((each): each is string => each !== null);
  if (people.length === 0)
    return asked.document === null ? null : <WhoSees document={asked.document} at={asked.at} query={query} />;
  return (
    <div class={people.length > 1 ? "side-by-side" : "stack"}>
      {people.map((person) =>
        asked.document === null ? (
          <WhatIsSeen key={person} person={person} at={asked.at} query={query} />
        ) : (
          <Verdict key={person} document={asked.document} person={person} at={asked.at} query={query} />
        ),
      )}
    </div>
  );
}
