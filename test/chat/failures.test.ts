import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { ChatLimits } from "../../src/chat/chatLimits.js";
import {
  begins,
  calls,
  drops,
  ending,
  fails,
  falls,
  frameOf,
  says,
  seenIn,
  type Script,
} from "../support/models/scriptedModel.js";
import { base, framesIn, question, small, startChat, type ChatUnderTest } from "./chatUnderTest.js";

interface Refused {
  readonly detail: string;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

const overflow = fails(400, { error: { message: "Too long.", code: "context_length_exceeded" } });

/** In one frame, each with an id of its own. */
const endlessCalls: Script = (response) => {
  const called = Array.from({ length: 100_000 }, (_, at) => ({ id: `c${at}`, function: { name: "webSearch" } }));
  begins(response).end(frameOf({ tool_calls: called }) + ending("tool_calls"));
};

describe("chat that fails", () => {
  let chat: ChatUnderTest;

  before(async () => {
    chat = await startChat({ timeoutMs: 150 });
  });

  after(() => chat.stop());

  const refusedBy = async (script: Script, more: object = {}): Promise<[number, Refused, Headers]> => {
    chat.model.plays(script);
    const answer = await chat.ask(question("Hi", more));
    return [answer.status, (await answer.json()) as Refused, answer.headers];
  };

  const troubles: readonly (readonly [name: string, script: Script, status: number, says: RegExp])[] = [
    ["a server that breaks", fails(500, { error: { message: "Out of memory" } }), 502, /status 500: Out of memory\.$/],
    ["a server that is away", fails(503, "no JSON"), 503, /not available now/],
    ["a refused key", fails(401, { error: { message: "Bad key upstream-key" } }), 502, /refuses this service's key/],
    ["no stream", fails(200, {}), 502, /application\/json instead of a stream/],
    ["no JSON", (response) => void begins(response).end("data: what\n\n"), 502, /nobody understands/],
    ["a connection that is cut", (response) => void response.destroy(), 502, /ended the connection/],
    ["a stream without an end", (response) => void begins(response).end(), 502, /before the answer was whole/],
    ["silence", () => undefined, 504, /silent/],
    [
      "an error as first frame",
      (response) => void begins(response).end('data: {"error":{"message":"Boom"}}\n\n'),
      502,
      /Boom/,
    ],
    [
      "a server that repeats the key",
      fails(400, { error: { message: "The header is 'Bearer upstream-key'" } }),
      502,
      /status 400: The header is 'Bearer …'\.$/,
    ],
    [
      "a frame that repeats the key",
      (response) => void begins(response).end('data: {"error":{"message":"No credit: upstream-key"}}\n\n'),
      502,
      /No credit: …/,
    ],
    [
      "an event that never ends",
      (response) => void begins(response).end(`data: ${"x".repeat(999_990)}\n`.repeat(6)),
      502,
      /nobody understands/,
    ],
    ["more calls than anybody makes", endlessCalls, 502, /nobody understands/],
    ["a prompt that does not fit", overflow, 400, /longer than the model takes/],
  ];
  for (const [name, script, status, sentence] of troubles)
    it(`has a status and both envelopes for ${name}, streamed or not`, async () => {
      for (const stream of [false, true]) {
        const [answered, { detail, error }] = await refusedBy(script, { stream });
        expect(answered).to.equal(status);
        expect(detail).to.match(sentence).and.not.contain("upstream-key");
        expect(error.message).to.equal(detail);
      }
    });

  it("passes on when a model's server wants to be asked again", async () => {
    for (const status of [429, 503]) {
      const [answered, { error }, headers] = await refusedBy(fails(status, {}, { "retry-after": "17" }));
      expect([answered, headers.get("retry-after")]).to.deep.equal([status, "17"]);
      expect(error.type).to.equal(status === 429 ? "rate_limit_error" : "server_error");
    }
    const [, , headers] = await refusedBy(fails(429, {}, { "retry-after": "later" }));
    expect(headers.get("retry-after"), "what is no time").to.equal(null);
  });

  it("cannot reach a server that is not there", async () => {
    const away = await startChat();
    await away.model.stop();
    const answer = await away.ask(question("Hi"));
    expect([answer.status, answer.headers.has("retry-after")]).to.deep.equal([503, false]);
    await away.stop().catch(() => undefined);
  });

  it("tells of a failure on the way in a frame, and closes the stream", async () => {
    for (const script of [drops("Well"), falls("Well")]) {
      chat.model.plays(script);
      const frames = await framesIn(await chat.ask(question("Hi", { stream: true })));
      expect(frames[0]?.choices[0]?.delta.content).to.equal("Well");
      expect(frames.at(-1)?.error?.message).to.be.a("string");
      expect(frames).to.have.length(2);
    }
  });

  it("drops the oldest turns of a conversation that is too long, and says so", async () => {
    const messages = [
      { role: "system", content: "Rules." },
      ...["one1", "two2", "three3", "four4"].flatMap((text) => [
        { role: "user", content: text.repeat(100) },
        { role: "assistant", content: text },
      ]),
      { role: "user", content: "Last." },
    ];
    chat.model.plays(overflow, says("Fits."));
    const answer = await chat.ask({ model: "small", messages });
    expect(answer.headers.get("x-context-truncated")).to.equal("4");
    expect(await answer.json()).to.deep.nested.include({ "context_truncated.dropped_messages": 4 });
    const seen = seenIn(chat.model.asked.at(-1) ?? expect.fail());
    expect(seen).to.contain("Rules.").and.contain("three3").and.contain("Last.").and.not.contain("two2");
    const narrow = await startChat({ models: [{ ...small, contextTokens: 400 }] });
    try {
      narrow.model.always(says("Fits."));
      const streamed = await narrow.ask({ model: "small", messages, stream: true });
      expect(streamed.headers.get("x-context-truncated")).to.equal("6");
      expect((await framesIn(streamed)).at(-1)).to.deep.nested.include({ "context_truncated.dropped_messages": 6 });
      expect(narrow.model.asked).to.have.length(1);
    } finally {
      await narrow.stop();
    }
  });

  it("puts both envelopes on whatever is refused, and says that other routes are not functional", async () => {
    const refused: readonly (readonly [method: string, path: string, token: string, status: number, code: string])[] = [
      ["GET", "/models", "nobody", 401, "invalid_api_key"],
      ["POST", "/chat/completions", "account", 401, "invalid_api_key"],
      ["GET", "/models/un%2Fknown%3A1", "key", 404, "model_not_found"],
      ["GET", "/chat/completions", "key", 501, "not_implemented"],
      ["DELETE", "/models/small", "key", 501, "not_implemented"],
      ["POST", "/embeddings", "key", 501, "not_implemented"],
      ["POST", "/chat/completions/x/cancel", "key", 501, "not_implemented"],
      ["POST", "/responses", "nobody", 401, "invalid_api_key"],
      ["POST", "/chat/completions", "key", 415, ""],
    ];
    for (const [method, path, token, status, code] of refused) {
      const answer = await fetch(chat.app.url + base + path, {
        ...{ method, headers: { authorization: `Bearer ${token}` } },
        ...(method === "POST" && { body: "{}" }),
      });
      const { detail, error } = (await answer.json()) as Refused;
      expect([answer.status, error.message, error.code ?? ""], `${method} ${path}`).to.deep.equal([
        status,
        detail,
        code,
      ]);
      expect(answer.headers.get("x-should-retry")).to.equal(status === 501 ? "false" : null);
    }
  });

  it("refuses more answers at once than one person, or all, may have", async () => {
    const limited = await startChat({ limits: new ChatLimits(3, 2) });
    try {
      limited.model.always(falls("Well"));
      const leaving = new AbortController();
      const begun = async (token: string): Promise<number> => {
        const answer = await limited.ask(question("Hi", { stream: true }), token, leaving.signal);
        return answer.status;
      };
      expect(await begun("key")).to.equal(200);
      expect(await begun("key")).to.equal(200);
      const third = await limited.ask(question("Hi", { stream: true }));
      expect([third.status, third.headers.has("retry-after")]).to.deep.equal([429, true]);
      expect(((await third.json()) as Refused).error.type).to.equal("rate_limit_error");
      expect(await begun("bobsKey")).to.equal(200);
      const fourth = await limited.ask(question("Hi"), "bobsKey");
      expect([fourth.status, (await fourth.text()).includes("answers are under way")]).to.deep.equal([429, true]);
      leaving.abort();
      await limited.model.idle();
      limited.model.always(says("Done."));
      expect(await (await limited.ask(question("Hi"))).text()).to.contain("Done.");
    } finally {
      await limited.stop();
    }
  });

  it("lets a client that does not read hold its own model up, and nothing else", async () => {
    const piece = frameOf({ content: "x".repeat(60_000) });
    let written = 0;
    chat.model.plays(async (response) => {
      begins(response);
      const closed = once(response, "close");
      for (; written < 2_000 && !response.destroyed; written++)
        if (!response.write(piece)) await Promise.race([new Promise((go) => response.once("drain", go)), closed]);
      response.end(ending());
    });
    const { port } = new URL(chat.app.url);
    const socket = connect(Number(port), "127.0.0.1").pause();
    const body = JSON.stringify(question("Hi", { stream: true }));
    const head = `POST ${base}/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`);
    const stoodStill = async (before: number): Promise<void> => {
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
      if (before !== written || written === 0) await stoodStill(written);
    };
    await stoodStill(-1);
    expect(written).to.be.lessThan(1_000);
    socket.destroy();
    await chat.model.idle();
  });

  it("does not take calls without an answer for one", async () => {
    chat.model.plays(...Array.from({ length: 8 }, () => calls(["webSearch", {}])));
    expect((await chat.ask(question("Hi"))).status).to.equal(502);
  });
});
