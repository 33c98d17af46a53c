import { Command } from "commander";
import { toUtc } from "../../cli/arguments.js";
import { listingAsCsv, listingAsTable, type Column, type Listing } from "../../cli/listing.js";
import type { Service } from "../../cli/service.js";
import type { QueryParameters } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import type { AnsweredQuestion } from "../routes/auditQuestions.js";
import type { SentWebQueries } from "../routes/auditWebQueries.js";
import { addressOf, withAuditOptions, withAuditService, type AuditOptions } from "./askAudit.js";
import { pageSize } from "./history.js";

/** What the service has written down about those who asked it, in the order of the log. */
interface Records<Item> {
  /** Such as `questions`, for `audit questions` and `GET /api/audit/questions`. */
  readonly name: string;
  readonly description: string;
  /** What the list may be limited to: the name of the option and of the parameter, and their help. */
  readonly filters: readonly (readonly [name: string, flags: string, description: string])[];
  readonly listing: Listing<Item>;
}

/** Of every record: where it stands in the log, when and by whom it came. */
const origin = (timeOf: (time: string) => string): Column<{ position: string; time: string; by: string }>[] => [
  ["position", ({ position }) => position],
  [timeOf === toUtc ? "time (utc)" : "time", ({ time }) => timeOf(time)],
  ["by", ({ by }) => by],
];
const asWritten = (time: string): string => time;

const questionColumns: readonly Column<AnsweredQuestion>[] = [
  ["question", ({ question }) => question],
  ["about", aboutOf],
];

function aboutOf({ about: { user, document, group, event } }: AnsweredQuestion): string {
  const subject = [user, document, group, event === undefined ? undefined : `event ${event}`];
  return subject.filter((text) => text !== undefined).join(", ");
}

const questions: Records<AnsweredQuestion> = {
  name: "questions",
  description: "list who asked what about other people",
  filters: [
    ["by", "--by <credential>", "only what was asked with this credential"],
    ["user", "--user <email>", "only what was asked about this person"],
  ],
  listing: {
    columns: [...origin(asWritten), ...questionColumns, ["as_of", ({ as_of: asOf }) => asOf]],
    table: [...origin(toUtc), ...questionColumns, ["as of", ({ as_of: asOf }) => asOf]],
    none: "Nobody has asked anything.",
  },
};

const webQueryColumns: readonly Column<SentWebQueries>[] = [
  ["user", ({ user }) => user],
  ["answer", ({ answer }) => answer],
  ["mode", ({ mode }) => mode ?? "default"],
  ["queries", ({ queries }) => queries.join(" | ")],
];

const webQueries: Records<SentWebQueries> = {
  name: "web-queries",
  description: "list what left the service for the web",
  filters: [["user", "--user <email>", "only what left for this person"]],
  listing: {
    columns: [...origin(asWritten), ...webQueryColumns],
    table: [...origin(toUtc), ...webQueryColumns],
    none: "Nothing has left for the web.",
  },
};

/** `audit questions` and `audit web-queries`. */
export const recordCommands = (terminal: Terminal): readonly Command[] => [
  commandOf(questions, terminal),
  commandOf(webQueries, terminal),
];

type RecordOptions = AuditOptions & Readonly<Record<string, string | undefined>>;

function commandOf<Item>({ name, description, filters, listing }: Records<Item>, terminal: Terminal): Command {
  const command = new Command(name).description(description);
  for (const [, flags, help] of filters) command.option(flags, help);
  command.action((options: RecordOptions) =>
    withAuditService(options, terminal, [], async (service) => {
      const given = Object.fromEntries(filters.map(([parameter]) => [parameter, options[parameter]]));
      const items = await everyItem<Item>(service, name, given);
      const inWords = options.csv === true ? listingAsCsv : listingAsTable;
      terminal.printResult(options.json === true, { items, source: service.source }, () => inWords(listing, items));
    }),
  );
  return withAuditOptions(command, [`audit ${name}`, `audit ${name} --user ada@example.org --csv`]);
}

/** Reads all pages of a list. */
async function everyItem<Item>(service: Service, list: string, parameters: QueryParameters): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let from: string | undefined = "0"; from !== undefined;) {
    const path = addressOf(list, { ...parameters, from, count: String(pageSize) });
    const page: { readonly items: readonly Item[]; readonly next?: string } = await service.ask({
      method: "GET",
      path,
    });
    items.push(...page.items);
    from = page.next;
  }
  return items;
}
