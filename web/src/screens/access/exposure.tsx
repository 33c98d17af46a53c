import type { Query } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { Instant } from "../../parts/instant.js";
import { Table } from "../../parts/table.js";
import { Dialog } from "../../parts/dialog.js";
import { words } from "../../words.js";
import { accessAddress, momentOf } from "./asked.js";
import { More } from "./more.js";
import { nameOfMaker, useNames } from "./names.js";
import { usePages } from "./usePages.js";

const say = words({
  en: {
    title: "What this alone made visible",
    lead: "Everything that was visible with it, and would not have been without it.",
    by: "by {who}",
    nothing: "Nothing was visible by this alone.",
    who: "Who",
    what: "What",
    from: "From",
    until: "Until",
    still: "still",
  },
  de: {
    title: "Was allein dadurch sichtbar wurde",
    lead: "Alles, was damit sichtbar war und ohne es nicht gewesen wäre.",
    by: "durch {who}",
    nothing: "Allein dadurch war nichts sichtbar.",
    who: "Wer",
    what: "Was",
    from: "Von",
    until: "Bis",
    still: "noch immer",
  },
});

/** What the address names: a position, or a grant as `{target} {document}`. */
function subjectOf(text: string): { readonly event: string } | { readonly document: string; readonly grant: string } {
  const space = text.indexOf(" ");
  return space === -1 ? { event: text } : { grant: text.slice(0, space), document: text.slice(space + 1) };
}

/** What one link alone made visible to whom, and when. */
export function Exposure({
  of,
  at,
  query,
}: {
  readonly of: string;
  readonly at: string | null;
  readonly query: Query;
}) {
  const pages = usePages<Schemas["VisibleItem"], Schemas["VisibilityAnswer"]>(`exposure ${of} ${at}`, (next, signal) =>
    api.GET("/api/audit/exposure", {
      params: { query: { ...subjectOf(of), ...momentOf(at), ...(next !== undefined && { next }) } },
      signal,
    }),
  );
  const about = pages.first?.about;
  useNames(about === undefined ? [] : [about.by]);
  return (
    <Dialog title={say("title")} size="wide" onClose={() => query.set({ exposure: null }, "replace")}>
      <p class="quiet">{say("lead")}</p>
      {about !== undefined && (
        <p>
          <strong lang="en">{about.fact}</strong>, <Instant at={about.time} />{" "}
          {say("by", { who: nameOfMaker(about.by) })}
        </p>
      )}
      {pages.first?.missing !== undefined && <p lang="en">{pages.first.missing.detail}</p>}
      {!pages.isBusy && pages.fault === null && pages.items.length === 0 && <p role="status">{say("nothing")}</p>}
      {pages.items.length > 0 && <Intervals items={pages.items} />}
      <More of={pages} />
    </Dialog>
  );
}

const Intervals = ({ items }: { readonly items: readonly Schemas["VisibleItem"][] }) => (
  <Table
    label={say("title")}
    items={items}
    keyOf={({ user_email: email, document, from }) => `${email} ${document} ${from}`}
    columns={[
      { name: say("who"), cell: ({ user_email: email }) => email },
      {
        name: say("what"),
        cell: ({ user_email: person, document, from: at }) => (
          <a href={accessAddress({ document, person, at })}>{document}</a>
        ),
      },
      { name: say("from"), cell: ({ from_time: began }) => <Instant at={began} /> },
      {
        name: say("until"),
        cell: ({ until_time: ended }) => (ended === null ? say("still") : <Instant at={ended} />),
      },
    ]}
  />
);
