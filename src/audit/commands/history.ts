import { Command } from "commander";
import { toUtc } from "../../cli/arguments.js";
import type { QueryParameters } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import type { ExplainedFact } from "../auditQueries.js";
import type { HistoryAnswerPage, Via, VisibleItem, WhatItem, WhoItem } from "../historyQuestions.js";
import { addressOf, withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { printPages, type PageListing } from "./pagePrinter.js";

/** A question about more than one person or document: each option is the parameter of its name. */
interface HistoryQuestion<Item extends object> {
  /** Such as `who`, for `audit who` and `GET /api/audit/who`. */
  readonly name: string;
  readonly description: string;
  /** How the document is named, where it is an argument. */
  readonly document?: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
  readonly required?: readonly [flags: string, description: string];
  readonly examples: readonly string[];
  readonly listing: PageListing<Item>;
  /** With `--effective`, where there is such an option. */
  readonly effectiveListing?: PageListing<VisibleItem>;
}

const atMoment = (default_: string): readonly [string, string] => [
  "--at <moment>",
  `${default_ === "" ? "" : `${default_}: `}a time, a token or a position (default: now)`,
];

/** How many items are asked for at once. */
export const pageSize = 1_000;

/**
 * In one cell: the groups from the one that is granted down to the one that holds the person, or whom else the grant
 * names.
 */
export const viaText = ({ grant, groups, by_default: isByDefault }: Via): string =>
  grant === "group" ? groups.join(" > ") : isByDefault === true ? `${grant}, by default` : grant;

const people: PageListing<WhoItem> = {
  columns: [
    ["user_email", ({ user_email: email }) => email],
    ["via", ({ via }) => viaText(via)],
  ],
  ...{ one: "person", many: "people", none: "Nobody could see it." },
};

const documents: PageListing<WhatItem> = {
  columns: [
    ["document", ({ document }) => document],
    ["via", ({ via }) => viaText(via)],
  ],
  ...{ one: "document", many: "documents", none: "No document could be seen." },
};

/** On a terminal the event can be looked up by its position. */
const facts: PageListing<ExplainedFact> = {
  columns: [
    ["position", ({ position }) => position],
    ["time", ({ time }) => time],
    ["by", ({ by }) => by],
    ["fact", ({ fact }) => fact],
    ["event", ({ event }) => event],
    ["stream", ({ stream }) => stream],
    ["revision", ({ revision }) => String(revision)],
  ],
  table: [
    ["position", ({ position }) => position],
    ["time (utc)", ({ time }) => toUtc(time)],
    ["by", ({ by }) => by],
    ["fact", ({ fact }) => fact],
  ],
  ...{ one: "fact", many: "facts", none: "Nothing has happened." },
};

const intervals: PageListing<VisibleItem> = {
  columns: [
    ["user_email", ({ user_email: email }) => email],
    ["document", ({ document }) => document],
    ["from", ({ from }) => from],
    ["from_time", ({ from_time: time }) => time],
    ["until", ({ until }) => until ?? ""],
    ["until_time", ({ until_time: time }) => time ?? ""],
    ["by_default", ({ by_default: isByDefault }) => String(isByDefault === true)],
  ],
  table: [
    ["from (utc)", ({ from_time: time }) => toUtc(time)],
    ["until (utc)", ({ until_time: time }) => (time === null ? "still" : toUtc(time))],
    ["user", ({ user_email: email }) => email],
    ["document", (item) => (item.by_default === true ? `${item.document} (by default)` : item.document)],
  ],
  ...{ one: "interval", many: "intervals", none: "Nothing was visible." },
};

const who: HistoryQuestion<WhoItem> = {
  name: "who",
  description: "list everyone who could see a document, and through which groups",
  document: "<datasource/id>",
  options: [atMoment("")],
  examples: ["audit who handbook/travel-2024.md", "audit who handbook/travel-2024.md --at 2026-01-31T18:00:00Z --csv"],
  listing: people,
};

const what: HistoryQuestion<WhatItem> = {
  name: "what",
  description: "list every document that a person could see, and through which groups",
  required: ["--user <email>", "login email of the person"],
  options: [atMoment("")],
  examples: ["audit what --user ada@example.com", "audit what --user ada@example.com --at 2026-01-31T18:00:00Z --json"],
  listing: documents,
};

const history: HistoryQuestion<ExplainedFact> = {
  name: "history",
  description: "tell what happened to the permissions of a document, a person or a group",
  document: "[datasource/id]",
  options: [
    ["--user <email>", "login email of the person"],
    ["--group <datasource/name>", "the group"],
    [
      "--effective",
      "tell who could see what, and when, instead of what was done: of the document, of the person, or of both",
    ],
    atMoment("nothing after it"),
  ],
  examples: [
    "audit history handbook/travel-2024.md",
    "audit history --group handbook/staff --csv",
    "audit history handbook/travel-2024.md --user ada@example.com --effective",
  ],
  listing: facts,
  effectiveListing: intervals,
};

const exposure: HistoryQuestion<VisibleItem> = {
  name: "exposure",
  description:
    "tell what one grant, membership, group's name or registration, and nothing else, made visible to whom and when",
  options: [
    ["--event <position>", "the event that made it so: its position, as `events` and `audit history` print it"],
    ["--document <datasource/id>", "instead of an event: the document whose grant it is"],
    ["--grant <whom>", "with --document: anonymous, user:EMAIL or group:NAME"],
    atMoment("nothing after it"),
  ],
  examples: [
    "audit exposure --event 1204",
    "audit exposure --document handbook/travel-2024.md --grant group:staff --csv",
  ],
  listing: intervals,
};

/** `audit who`, `what`, `history` and `exposure`. */
export const historyCommands = (terminal: Terminal): readonly Command[] => [
  commandOf(who, terminal),
  commandOf(what, terminal),
  commandOf(history, terminal),
  commandOf(exposure, terminal),
];

type HistoryOptions = AuditOptions & { readonly effective?: boolean } & Readonly<Record<string, unknown>>;

function commandOf<Item extends object>(question: HistoryQuestion<Item>, terminal: Terminal): Command {
  const { name, description, document, options, required, examples } = question;
  const command = new Command(name).description(description);
  if (document !== undefined) command.argument(document, "the document");
  if (required !== undefined) command.requiredOption(...required);
  for (const option of options) command.option(...option);
  command.action((...given: readonly unknown[]) =>
    document === undefined
      ? printHistory(question, given[0] as HistoryOptions, terminal)
      : printHistory(question, { document: given[0], ...(given[1] as HistoryOptions) }, terminal),
  );
  return withAuditOptions(command, examples);
}

/** Asks for page after page and prints each as it comes: the whole answer, as of one moment. */
function printHistory<Item extends object>(
  { name, listing, effectiveListing }: HistoryQuestion<Item>,
  { url, json, csv, effective = false, ...named }: HistoryOptions,
  terminal: Terminal,
): Promise<void> {
  const parameters = { ...named, ...(effective && { effective: "true" }), count: String(pageSize) } as QueryParameters;
  return withAuditService({ url, json }, terminal, answersRestOn.past, (service) => {
    const pageAt = <Listed extends object>(next: string | undefined): Promise<HistoryAnswerPage<Listed>> => {
      const page = next === undefined ? parameters : { ...parameters, at: undefined, next };
      return service.ask({ method: "GET", path: addressOf(name, page) });
    };
    const options = { json, csv, source: service.source };
    return effective && effectiveListing !== undefined
      ? printPages(effectiveListing, options, terminal, pageAt<VisibleItem>)
      : printPages(listing, options, terminal, pageAt<Item>);
  });
}
