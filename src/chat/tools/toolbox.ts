import type { ToolName } from "../../events/agent.js";
import type { Fence } from "../completion/fence.js";
import type { SourceList } from "../completion/sourceList.js";
import type { PromptMessage, ToolCall, ToolDefinition } from "../ports/modelUpstream.js";
import { longestQuery, toSource, type Finding, type Searches } from "./searches.js";
import { readArguments, searchSchema } from "./toolArguments.js";

const mostCallsAtOnce = 8;

const descriptions: Readonly<Record<ToolName, string>> = {
  internalSearch:
    "Searches the documents of the organization that the asking person may see. Answers with numbered passages.",
  webSearch: "Searches the public web. Answers with numbered pages.",
};

export interface ToolboxOptions {
  readonly searches: Searches;
  /** Whether the web may be searched once documents have been. */
  readonly webAfterInternal: boolean;
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

  private get names(): readonly ToolName[] {
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
    if (name in this.options.searches && allowed.length > 0)
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
