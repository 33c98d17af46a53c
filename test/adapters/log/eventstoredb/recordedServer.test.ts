import { readFile } from "node:fs/promises";
import {
  ANY,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  type AppendToStreamOptions,
} from "@eventstore/db-client";
import { expect } from "chai";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";

interface Outcome {
  readonly ok: boolean;
  readonly result?: { readonly nextExpectedRevision: string; readonly position: unknown };
  readonly error?: { readonly class: string; readonly actualVersion?: string };
}
interface Step extends Partial<Outcome> {
  readonly did: string;
  readonly expectedRevision?: string;
}
interface Story {
  readonly steps: readonly Step[];
  readonly stream_afterwards: {
    readonly revisions?: number;
    readonly data?: readonly unknown[];
    readonly error?: string;
  };
}

const fixture = async <Facts>(name: string): Promise<Facts> => {
  const file = new URL(`../../../../../test/fixtures/eventstoredb/${name}.json`, import.meta.url);
  return (JSON.parse(await readFile(file, "utf8")) as { facts: Facts }).facts;
};

const paths = { batch: {}, unary: { credentials: { username: "any", password: "any" } } } as const;
type Path = keyof typeof paths;

const idOf = (letter: string): string =>
  `00000000-0000-4000-8000-${letter.charCodeAt(0).toString(16).padStart(12, "0")}`;
const eventOf = (id: string, k: string = id) => jsonEvent({ id, type: "T", data: { k } });

const expectations: Readonly<Record<string, AppendToStreamOptions["expectedRevision"]>> = {
  any: ANY,
  no_stream: NO_STREAM,
  stream_exists: STREAM_EXISTS,
};
const expectationOf = (text: string): AppendToStreamOptions["expectedRevision"] =>
  expectations[text] ?? BigInt(text.replace(/n.*/, ""));

/** What the double is worth: it answers as a real server was seen to. */
describe("the double of an EventStoreDB server", () => {
  let server: EventStoreDouble;
  let client: EventStoreDBClient;
  before(async () => {
    server = await EventStoreDouble.start();
    client = EventStoreDBClient.connectionString(server.url);
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });
  let streams = 0;

  async function outcomeOf(
    stream: string,
    events: Parameters<EventStoreDBClient["appendToStream"]>[1],
    options: AppendToStreamOptions,
  ): Promise<Outcome> {
    try {
      const { nextExpectedRevision, position } = await client.appendToStream(stream, events, options);
      return {
        ok: true,
        result: {
          nextExpectedRevision: `${nextExpectedRevision}n`,
          position: position === undefined ? "<undefined>" : "there",
        },
      };
    } catch (error) {
      const { actualVersion } = error as { readonly actualVersion?: unknown };
      const version = typeof actualVersion === "bigint" ? `${actualVersion}n` : actualVersion;
      return {
        ok: false,
        error: {
          class: (error as Error).constructor.name,
          ...(version !== undefined && { actualVersion: version as string }),
        },
      };
    }
  }

  const recordedOf = ({ ok, result, error }: Partial<Outcome>): Outcome =>
    ok === true
      ? {
          ok,
          result: {
            nextExpectedRevision: result?.nextExpectedRevision ?? "",
            position: result?.position === "<undefined>" ? "<undefined>" : "there",
          },
        }
      : {
          ok: false,
          error: {
            class: error?.class ?? "",
            ...(error?.actualVersion !== undefined && { actualVersion: error.actualVersion }),
          },
        };

  async function play({ steps, stream_afterwards }: Story, path: Path): Promise<void> {
    const own = `story-${++streams}`;
    const ids = new Map<string, string>();
    for (const { did, expectedRevision = "any", ...recorded } of steps) {
      if (did === "deleteStream") await client.deleteStream(own);
      else if (did === "tombstoneStream") await client.tombstoneStream(own);
      else {
        const letters = /^append ([a-z](?:,[a-z])*)/.exec(did)?.[1]?.split(",") ?? ["x"];
        const stream = /to (another|a third) stream/.exec(did)?.[1];
        const events = letters.map((letter) => {
          const id = ids.get(letter) ?? idOf(String.fromCharCode(0x4e00 + streams * 26 + letter.charCodeAt(0)));
          ids.set(letter, id);
          return eventOf(id, letter);
        });
        const options = { expectedRevision: expectationOf(expectedRevision), ...paths[path] } as AppendToStreamOptions;
        const outcome = await outcomeOf(stream === undefined ? own : `${own}-${stream}`, events, options);
        expect(outcome, did).to.deep.equal(recordedOf(recorded));
      }
    }
    expect(await contentOf(own)).to.deep.equal(stream_afterwards);
  }

  async function contentOf(stream: string): Promise<Story["stream_afterwards"]> {
    const data: unknown[] = [];
    try {
      for await (const { event } of client.readStream(stream)) data.push(event?.data);
      return { revisions: data.length, data };
    } catch (error) {
      return { error: (error as Error).constructor.name };
    }
  }

  for (const path of ["batch", "unary"] as const) {
    describe(`asked on the client's ${path} path`, () => {
      it("treats the same events appended again as recorded", async () => {
        const stories = (await fixture<Record<Path, Record<string, Story>>>("03-idempotency"))[path];
        expect(Object.keys(stories)).to.have.length.above(20);
        for (const story of Object.values(stories)) await play(story, path);
      });

      it("refuses wrong revisions as recorded", async () => {
        type Facts = Record<Path, Record<string, Record<string, Record<string, Outcome>>>>;
        const situations = (await fixture<Facts>("02-wrong-expected-version"))[path]["throwOnAppendFailure=true"] ?? {};
        expect(Object.keys(situations)).to.deep.equal(["existing_3_events", "missing", "soft_deleted", "tombstoned"]);
        for (const [situation, outcomes] of Object.entries(situations)) {
          for (const [expectation, recorded] of Object.entries(outcomes)) {
            const stream = `wrong-${++streams}`;
            if (situation !== "missing")
              await client.appendToStream(
                stream,
                ["a", "b", "c"].map((k) => eventOf(crypto.randomUUID(), k)),
              );
            if (situation === "soft_deleted") await client.deleteStream(stream);
            if (situation === "tombstoned") await client.tombstoneStream(stream);
            const options = { expectedRevision: expectationOf(expectation), ...paths[path] } as AppendToStreamOptions;
            const outcome = await outcomeOf(stream, [eventOf(crypto.randomUUID(), "new")], options);
            expect(outcome, `${situation}, ${expectation}`).to.deep.equal(recordedOf(recorded));
          }
        }
      });
    });
  }
});
