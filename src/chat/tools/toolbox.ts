import type { ToolName } from "../../events/agent.js";
import type { Fence } from "../completion/prompt.js";
import type { SourceList } from "../completion/citations.js";
import type { PromptMessage, ToolCall, ToolDefinition } from "../ports/modelUpstream.js";
import { longestQuery, toSource, type Finding, type Searches } from "./searches.js";
import { isBlank } from "../../shared/texts.js";

const mostCallsAtOnce = 8;

const descriptions: Readonly<Record<ToolName, string>> = {
  internalSearch:
    "Searches the documents of the organization that the asking person may see. Answers with numbered passages.",
  webSearch: "Searches the public web. Answers with numbered pages.",
};

interface ToolboxOptions {
  readonly searches: Searches;
  /** Whether the web may be searched once documents have been. */
  readonly webAfterInternal: boolean;
  /** Why the searches hold none of the web; null: for no reason that the model has to know. */
  readonly webClosedBecause: string | null;
  readonly sources: SourceList;
  readonly fence: Fence;
}

/** The tools of one answer: those that were asked for and no others, each with its arguments checked. */
export class Toolbox {
  private hasSearchedDocuments = false;

  constructor(private readonly options: ToolboxOptions) {}

  /** What the model is told that it may call now. */
  get offered(): readonly ToolDefinition[] {
    return this.names.map((name) => ({
      name,
      description: descriptions[name],
      parameters: searchSchema(longestQuery[name]),
    }));
  }

  /** Carries calls out side by side, and answers each. What is wrong with a call, the model is told. */
  async run(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly PromptMessage[]> {
    // Whatever is called now was written before any of it has been answered.
    const allowed = this.names;
    this.hasSearchedDocuments ||= calls.some(({ name }) => name === "internalSearch" && allowed.includes(name));
    const texts = await Promise.all(
      calls.map((call, at) =>
        at < mostCallsAtOnce
          ? this.runOne(call, allowed, signal)
          : `Not done: at most ${mostCallsAtOnce} tools can be called at once.`,
      ),
    );
    return calls.map(({ id }, at) => ({ role: "tool", callId: id, text: texts[at] ?? "" }));
  }

  /** The tools that may be called now. */
  get names(): readonly ToolName[] {
    const { searches, webAfterInternal } = this.options;
    const isWebClosed = this.hasSearchedDocuments && !webAfterInternal;
    return (Object.keys(searches) as ToolName[]).filter((name) => !(isWebClosed && name === "webSearch"));
  }

  private async runOne(call: ToolCall, allowed: readonly ToolName[], signal: AbortSignal): Promise<string> {
    const name = allowed.find((known) => known === call.name);
    const search = name === undefined ? undefined : this.options.searches[name];
    if (name === undefined || search === undefined) return this.refused(call.name, allowed);
    const given = readArguments(call.arguments, longestQuery[name]);
    if (typeof given === "string") return `Not done: ${given} The tool was not run.`;
    const found = await search(given.query, given.count, signal);
    if (typeof found === "string") return found;
    return found.length === 0 ? "Nothing was found." : found.map((finding) => this.shown(finding)).join("\n");
  }

  private refused(name: string, allowed: readonly ToolName[]): string {
    const { searches, webClosedBecause } = this.options;
    if (name === "webSearch" && webClosedBecause !== null)
      return `Not done: the web cannot be searched in this answer, because ${webClosedBecause}.`;
    if (name in searches && allowed.length > 0)
      return "Not done: the web cannot be searched any more in this answer, because documents have been read.";
    const others = allowed.length === 0 ? "There are none." : `There are: ${allowed.join(", ")}.`;
    return `Not done: there is no tool ${JSON.stringify(name.slice(0, 100))}. ${others}`;
  }

  private shown(finding: Finding): string {
    const { title, path, date, text } = finding;
    const number = this.options.sources.add(toSource(finding, text));
    const head = [title, path, date].filter((part) => part !== null && part !== "").join(" | ");
    return `[${number}]\n${this.options.fence.around(`${head}\n${text}`)}`;
  }
}

/** What a model wrote into the arguments of a search, once it is right. */
interface SearchArguments {
  readonly query: string;
  readonly count: number;
}

/** How many results a search of a model brings. */
const resultCounts = { least: 1, most: 10, otherwise: 6 } as const;

/** The schema that the model is told, and that its arguments are checked by. */
const searchSchema = (mostCharacters: number): object => ({
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: mostCharacters,
      description: "What to look for, in a few words.",
    },
    count: { type: "integer", minimum: resultCounts.least, maximum: resultCounts.most },
  },
  required: ["query"],
  additionalProperties: false,
});

/** The checked arguments, or a sentence that tells the model what is wrong with them. */
function readArguments(text: string, mostCharacters: number): SearchArguments | string {
  const given = objectIn(text);
  if (given === null) return "The arguments are no JSON object.";
  const { query, count = resultCounts.otherwise, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `There is no argument ${JSON.stringify(other.slice(0, 50))}.`;
  if (typeof query !== "string" || isBlank(query)) return "The argument `query` has to be a text.";
  if (query.length > mostCharacters) return `The argument \`query\` may have at most ${mostCharacters} characters.`;
  if (!Number.isInteger(count) || Number(count) < resultCounts.least || Number(count) > resultCounts.most)
    return `The argument \`count\` has to be a whole number from ${resultCounts.least} to ${resultCounts.most}.`;
  return { query, count: Number(count) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
