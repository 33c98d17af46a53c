import { hash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as fc from "fast-check";
import type { AppendRequest, NewContent } from "../../commands/ports.js";
import { fileStream } from "../../src/events/streams.js";
import { newDatasourceId, toFileId } from "../../src/shared/ids.js";
import { carriedString, carry } from "../../src/shared/carriedText.js";
import type { ExpectedRevision, Position } from "../../src/shared/position.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { propertyRuns } from "../support/propertyRuns.js";
import {
  alice,
  appended,
  batchesUntil,
  datasourceId,
  eventsOf,
  keyOf,
  newContent,
  newEvents,
  type EventLogUnderTest,
} from "./eventLogFixtures.js";

async function fromAsync<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function sharedCopy(bytes: Uint8Array): Buffer {
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** What every store of texts promises. `open` gives a fresh, empty log each time. */
export function contentStoreContract(open: () => Promise<EventLogUnderTest>): void {
  describe("as a store of texts", () => {
    let under: EventLogUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    const bringing = (content: NewContent, expectedRevision: ExpectedRevision = "noStream"): AppendRequest => ({
      stream: content.stream,
      expectedRevision,
      events: newEvents("indexed"),
      contents: [content],
    });
    const bring = async (content: NewContent, expectedRevision?: ExpectedRevision): Promise<Position> =>
      (await appended(under.log, bringing(content, expectedRevision))).position;
    const read = (content: NewContent): Promise<string | null> => under.contents.read(keyOf(content));

    describe("reading a text", () => {
      for (const [what, text] of [
        ["a short one", "Guten Tag"],
        ["an empty one", ""],
        ["one with NUL and characters of two units", "a\u0000b😀\r\nc"],
        ["one of several MiB", "Ünïcödé 😀 ".repeat(250_000)],
        ["one of several MiB, as bytes", carry("Ünïcödé 😀 ".repeat(250_000))],
      ] as const) {
        it(`gives it back whole: ${what}`, async () => {
          const whole = carriedString(text);
          const content = newContent(whole, "doc-1");
          await bring({ ...content, text });
          expect(await read(content)).to.equal(whole);
          under = await under.reopen();
          expect(await read(content)).to.equal(whole);
        });
      }

      it("gives it back whole, whatever the characters", async () => {
        let documents = 0;
        const text = fc
          .tuple(fc.string({ unit: "binary" }), fc.nat(60_000))
          .map(([unit, times]) => unit.repeat(times).slice(0, 600_000))
          .map((value) => Buffer.from(value).toString());
        await fc.assert(
          fc.asyncProperty(text, async (value) => {
            const content = newContent(value, `doc-${documents++}`);
            await bring(content);
            expect(await read(content)).to.equal(value);
          }),
          propertyRuns(40),
        );
      });

      it("gives null of a text that was never written, of another document's, and of a refused append's", async () => {
        const content = newContent("text", "doc-1");
        await bring(content);
        const refused = newContent("other text", "doc-1");
        expect((await under.log.append(bringing(refused))).kind).to.equal("conflict");
        expect(await read(refused)).to.equal(null);
        expect(await read(newContent("text", "doc-2"))).to.equal(null);
        expect(await read(newContent("text", "doc-1", newDatasourceId()))).to.equal(null);
      });

      it("finds several texts of one append, whichever stream it was appended to", async () => {
        const contents = [newContent("one", "doc-1"), newContent("two", "doc-2")];
        await appended(under.log, { stream: alice, expectedRevision: "noStream", events: newEvents("a"), contents });
        expect(await Promise.all(contents.map(read))).to.deep.equal(["one", "two"]);
        await bring(newContent("three", "doc-1"));
        expect(await read(newContent("three", "doc-1"))).to.equal("three");
        expect(await Promise.all(contents.map(read))).to.deep.equal(["one", "two"]);
      });

      it("finds it as soon as its event is seen", async () => {
        const contents = Array.from({ length: 100 }, (_, index) => newContent(`text ${index}`, `doc-${index}`));
        const missing: string[] = [];
        const seeing = (async () => {
          const byStream = new Map(contents.map((content) => [content.stream, content]));
          const batches = await batchesUntil(under.source, (sofar) => eventsOf(sofar).length === contents.length, {
            maxBatchSize: 5,
          });
          for (const { stream } of eventsOf(batches)) {
            const content = byStream.get(stream);
            if (content === undefined || (await read(content)) !== content.text) missing.push(stream);
          }
        })();
        await Promise.all(contents.map((content) => bring(content)));
        await seeing;
        expect(missing).to.deep.equal([]);
      });
    });

    describe("reading bytes", () => {
      const fileOf = (bytes: Uint8Array, id: string): NewContent & { readonly text: Uint8Array } => ({
        stream: fileStream(toFileId(id)),
        reference: { sha256: hash("sha256", bytes), bytes: bytes.length },
        text: bytes,
      });
      const readBytes = async (content: NewContent): Promise<Buffer | null> => {
        const pieces = await under.contents.readBytes(keyOf(content));
        return pieces && Buffer.concat(await fromAsync(pieces));
      };

      it("gives back whatever bytes there were, also at the ends of chunks", async () => {
        let files = 0;
        const bytes = fc
          .tuple(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.constantFrom(0, 491_519, 491_520, 491_523, 983_041))
          .map(([unit, length]) => Buffer.concat([Buffer.alloc(length, unit), unit]));
        await fc.assert(
          fc.asyncProperty(bytes, fc.boolean(), async (value, shared) => {
            const text = shared ? sharedCopy(value) : value;
            const content = fileOf(text, `file_${files++}`);
            await bring(content);
            expect((await readBytes(content))?.equals(value)).to.equal(true);
          }),
          propertyRuns(30),
        );
      });

      it("takes the bytes of a file from where they lie", async () => {
        const folder = temporaryFolder("carried");
        const path = join(folder.path, "file");
        for (const length of [1, 491_520, 1_200_000]) {
          const bytes = randomBytes(length);
          writeFileSync(path, bytes);
          const content = { ...fileOf(bytes, `file_${length}`), text: { path, bytes: length } };
          await bring(content);
          writeFileSync(path, "");
          expect((await readBytes(content))?.equals(bytes)).to.equal(true);
        }
        const gone = { ...fileOf(Buffer.from("gone"), "file_gone"), text: { path, bytes: 4 } };
        expect(await bring(gone).catch(() => "refused")).to.equal("refused");
        folder.remove();
        expect(await readBytes(gone)).to.equal(null);
      });

      it("gives bytes in pieces below 512 KiB, and a text as its bytes", async () => {
        const content = newContent("Ünïcödé 😀 ".repeat(100_000), "doc-1");
        await bring(content);
        const pieces = await fromAsync((await under.contents.readBytes(keyOf(content))) ?? []);
        expect(Math.max(...pieces.map(({ length }) => length))).to.be.lessThan(512 * 1024);
        expect(Buffer.concat(pieces).toString()).to.equal(content.text);
      });

      it("keeps the same bytes of two files apart, and erases those of one alone", async () => {
        const [one, other] = ["file_one", "file_other"].map((id) => fileOf(randomBytes(1_200_000), id));
        const twin = fileOf(one?.text ?? Buffer.alloc(0), "file_twin");
        for (const content of [one, other, twin]) await bring(content as NewContent);
        await under.contents.erase(keyOf(one as NewContent), await under.source.head());
        expect(await readBytes(one as NewContent)).to.equal(null);
        expect((await readBytes(twin))?.equals(twin.text)).to.equal(true);
        expect((await readBytes(other as NewContent))?.equals(other?.text as Uint8Array)).to.equal(true);
        under = await under.reopen();
        expect(await readBytes(one as NewContent)).to.equal(null);
      });

      it("breaks off where they are erased meanwhile", async () => {
        const content = fileOf(randomBytes(4_000_000), "file_one");
        await bring(content);
        const pieces = await under.contents.readBytes(keyOf(content));
        const received: Uint8Array[] = [];
        let failure: unknown = null;
        try {
          for await (const piece of pieces ?? []) {
            if (received.push(piece) === 1) await under.contents.erase(keyOf(content), await under.source.head());
          }
        } catch (error) {
          failure = error;
        }
        expect(failure).to.be.an("error");
        expect(Buffer.concat(received).length).to.be.lessThan(4_000_000);
      });
    });

    describe("erasing a text", () => {
      it("removes it for good, that text alone, and may be repeated", async () => {
        const [old, young, other] = [
          newContent("old", "doc-1"),
          newContent("young", "doc-1"),
          newContent("old", "doc-2"),
        ];
        await bring(old);
        await bring(other);
        const superseded = await bring(young, 0);
        for (let times = 0; times < 2; times++) {
          await under.contents.erase(keyOf(old), superseded);
          expect(await Promise.all([old, young, other].map(read))).to.deep.equal([null, "young", "old"]);
        }
        under = await under.reopen();
        expect(await read(old)).to.equal(null);
      });

      it("is no error where there is no such text", async () => {
        await under.contents.erase(keyOf(newContent("never", "doc-9")), await under.source.head());
        expect(await read(newContent("never", "doc-9"))).to.equal(null);
      });

      it("removes a large text", async () => {
        const content = newContent("gross und größer ".repeat(300_000), "doc-1");
        const superseded = await bring(content);
        await under.contents.erase(keyOf(content), superseded);
        expect(await read(content)).to.equal(null);
      });

      it("leaves a text that came back since", async () => {
        const [first, second] = [newContent("first ".repeat(200_000), "doc-1"), newContent("second", "doc-1")];
        await bring(first);
        const superseded = await bring(second, 0);
        const back = await bring(first, 1);
        await under.contents.erase(keyOf(first), superseded);
        expect(await read(first)).to.equal(first.text);
        await under.contents.erase(keyOf(first), back);
        expect(await read(first)).to.equal(null);
      });

      it("does not hinder the same text from coming back", async () => {
        const content = newContent("again ".repeat(200_000), "doc-1");
        await under.contents.erase(keyOf(content), await bring(content));
        await bring(content, 0);
        expect(await read(content)).to.equal(content.text);
      });

      it("is not undone by a repeat of the append that brought it", async () => {
        const content = newContent("text", "doc-1");
        const request = bringing(content);
        const { position } = await appended(under.log, request);
        await under.contents.erase(keyOf(content), position);
        expect(await under.log.append(request)).to.deep.equal({ kind: "appended", revision: 0, position });
        expect(await read(content)).to.equal(null);
      });

      it("copes with many at once", async () => {
        const contents = Array.from({ length: 300 }, (_, index) => newContent(`text ${index}`, `doc-${index}`));
        await Promise.all(contents.map((content) => bring(content)));
        const head = await under.source.head();
        await Promise.all(
          contents.filter((_, index) => index % 2 === 0).map((content) => under.contents.erase(keyOf(content), head)),
        );
        expect(await Promise.all(contents.map(read))).to.deep.equal(
          contents.map(({ text }, index) => (index % 2 === 0 ? null : text)),
        );
      });

      it("leaves the events as they are", async () => {
        const content = newContent("text", "doc-1");
        const position = await bring(content);
        const { stream } = content;
        const before = await under.log.readStream(stream, 0);
        await under.contents.erase(keyOf(content), position);
        expect(await under.log.readStream(stream, 0)).to.deep.equal(before);
      });
    });

    describe("erasing a datasource's texts", () => {
      it("removes every one of them, those of others not, while appends go on", async () => {
        const other = newDatasourceId();
        const others = [other, `${datasourceId}0` as typeof datasourceId].map((id) => newContent("kept", "doc-1", id));
        const contents = Array.from({ length: 700 }, (_, index) =>
          newContent(index === 0 ? "large ".repeat(400_000) : `text ${index}`, `doc-${index}`),
        );
        await Promise.all([...others, ...contents].map((content) => bring(content)));
        const erasing = under.contents.eraseDatasource(datasourceId);
        const later = Array.from({ length: 50 }, (_, index) => newContent(`later ${index}`, `doc-${index}`, other));
        await Promise.all(later.map((content, index) => bring(content, index === 1 ? 0 : "noStream")));
        await erasing;
        expect((await Promise.all(contents.map(read))).filter((text) => text !== null)).to.deep.equal([]);
        expect(await Promise.all(others.map(read))).to.deep.equal(["kept", "kept"]);
        expect(await Promise.all(later.map(read))).to.deep.equal(later.map(({ text }) => text));
      });

      it("may be repeated, and may find nothing", async () => {
        await under.contents.eraseDatasource(datasourceId);
        const content = newContent("text", "doc-1");
        await bring(content);
        await under.contents.eraseDatasource(datasourceId);
        await under.contents.eraseDatasource(datasourceId);
        expect(await read(content)).to.equal(null);
      });
    });
  });
}
