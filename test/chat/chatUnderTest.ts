import { OpenAiUpstream } from "../../src/adapters/models/openAiUpstream.js";
import { createChat, type ChatParts } from "../../src/chat/createChat.js";
import { Catalogue } from "../../src/chat/models/catalogue.js";
import type { FoundPassage } from "../../src/chat/internalSearch.js";
import type { SearchPorts } from "../../src/chat/tools/searches.js";
import { ChatLimits } from "../../src/chat/chatLimits.js";
import type { UpstreamModel } from "../../src/chat/ports/modelUpstream.js";
import { startAppWithFakes, type AppUnderTest } from "../http/appWithFakes.js";
import { startScriptedModel, type ScriptedModel } from "../support/models/scriptedModel.js";

/** Chat over HTTP with the real adapter, a model that plays scripts, and searches that a test gives. */
export interface ChatUnderTest {
  readonly app: AppUnderTest;
  readonly model: ScriptedModel;
  /** Posts a body as the holder of a token. */
  ask(body: object, token?: string, signal?: AbortSignal): Promise<Response>;
  stop(): Promise<void>;
}

export interface ChatSettings extends Partial<Pick<ChatParts, "agents" | "files">> {
  readonly searches?: Partial<SearchPorts>;
  readonly models?: readonly UpstreamModel[];
  readonly timeoutMs?: number;
  readonly limits?: ChatLimits;
}

export const base = "/api/beta/amberai";
export const small: UpstreamModel = { id: "small", created: 0, contextTokens: null, takesImages: false };

const nobodys: ChatParts["agents"] = { find: () => Promise.resolve(null), list: () => Promise.resolve([]) };

const noFiles: ChatParts["files"] = {
  find: () => Promise.resolve(null),
  readText: () => Promise.resolve(null),
  readBytes: () => Promise.resolve(null),
};
const unexpected = () => Promise.reject(new Error("Nothing is expected to be searched."));
const noSearches: SearchPorts = {
  internalSearch: { search: unexpected },
  documents: { read: () => Promise.resolve(null) },
  webSearch: { search: unexpected },
  recorder: { record: unexpected },
};

/** Starts it. Nothing is searched unless a test says what is found. */
export async function startChat(settings: ChatSettings = {}): Promise<ChatUnderTest> {
  const model = await startScriptedModel();
  const { models = [small], timeoutMs = 30_000, limits = new ChatLimits(50, 50) } = settings;
  const { agents = nobodys, files = noFiles } = settings;
  const searches = { ...noSearches, ...settings.searches };
  const upstream = new OpenAiUpstream({ name: null, url: model.url, apiKey: "upstream-key", timeoutMs });
  const catalogue = new Catalogue([{ upstream, models, isClosed: true }]);
  const now = () => new Date("2026-01-02T03:04:05Z");
  const chat = createChat({
    ...{ models: catalogue, searches, agents, files, now, defaultModel: "small", extractiveModel: "amber-extractive" },
  });
  const app = await startAppWithFakes({ dependencies: { chat, chatLimits: limits } });
  return {
    ...{ app, model },
    ask: (body, token = "key", signal) =>
      fetch(`${app.url}${base}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      }),
    stop: async () => {
      catalogue.stop();
      await upstream.close();
      await app.stop();
      await model.stop();
    },
  };
}

/** A question of a user. */
export const question = (content: unknown, more: object = {}): object => ({
  model: "small",
  messages: [{ role: "user", content }],
  ...more,
});

/** Tools as clients ask for them. */
export const tools = (...names: readonly string[]): object => ({
  tools: names.map((name) => ({ function: { name } })),
});

/** A passage that a search found. */
export const passage = (fields: Partial<FoundPassage> = {}): FoundPassage => ({
  ...{ id: "wiki__leave.md", title: "Leave", url: "https://wiki.example.org/leave", path: "Wiki / Leave" },
  ...{ lastModified: "2024-05-01T10:00:00Z", datasource: "wiki", text: "Thirty days of leave.", score: 2 },
  ...fields,
});

/** The data frames of a stream, parsed, without its end. */
export async function framesIn(answer: Response): Promise<readonly Frame[]> {
  const text = await answer.text();
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
  if (frames.at(-1) !== "data: [DONE]") throw new Error(`The stream has no end: ${text}`);
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.slice(6)) as Frame);
}

export interface Frame {
  readonly id: string;
  readonly object: string;
  readonly choices: readonly {
    readonly delta: { readonly role?: string; readonly content?: string; readonly annotations?: readonly object[] };
    readonly finish_reason: string | null;
  }[];
  readonly error?: { readonly message: string; readonly code: string };
  readonly sources?: readonly object[];
  readonly usage?: object;
}
