import { hash } from "node:crypto";
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { fileStream } from "../../../../src/events/streams.js";
import { toFileId } from "../../../../src/shared/ids.js";
import {
  appended,
  datasourceId,
  keyOf,
  newContent,
  newEvents,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import { newFolder, openLogIn } from "./temporaryLog.js";

const marker = "ERASE-ME-0123456789";

describe("an erased text", () => {
  let folder: string;
  let under: EventLogUnderTest;
  beforeEach(async () => {
    folder = newFolder();
    under = await openLogIn(folder);
  });
  afterEach(async () => {
    await under.close();
    await rm(folder, { recursive: true });
  });

  /** Documents of many sizes, so that pages are split, merged and freed; every third text holds the marker. */
  const contents = Array.from({ length: 400 }, (_, index) => {
    const word = index % 3 === 0 ? marker : "stays";
    return newContent(`${word} ${index} `.repeat(1 + ((index * 37) % 900)), `doc-${index}`);
  });
  const bringAll = (expectedRevision: "noStream" | 0) =>
    Promise.all(
      contents.map((content) => {
        const { stream } = content;
        return appended(under.log, { stream, expectedRevision, events: newEvents("indexed"), contents: [content] });
      }),
    );
  const filesHoldingIt = async (): Promise<string[]> => {
    const names = await readdir(folder);
    const holding = await Promise.all(names.map(async (name) => (await readFile(join(folder, name))).includes(marker)));
    return names.filter((_, index) => holding[index]);
  };

  it("is in no byte of the files once the log was closed", async () => {
    await bringAll("noStream");
    await bringAll(0);
    expect(await filesHoldingIt()).to.include("log.sqlite-wal");
    const head = await under.source.head();
    await Promise.all(
      contents.filter(({ text }) => text.includes(marker)).map((content) => under.contents.erase(keyOf(content), head)),
    );
    await under.close();
    expect(await filesHoldingIt()).to.deep.equal([]);
    under = await openLogIn(folder);
    const left = await Promise.all(contents.map((content) => under.contents.read(keyOf(content))));
    expect(left).to.deep.equal(contents.map(({ text }) => (text.includes(marker) ? null : text)));
  });

  it("is in no byte of the files where it was bytes and no text", async () => {
    const bytes = Buffer.concat(
      Array.from({ length: 60_000 }, () => Buffer.from([0, 255, 128, ...Buffer.from(marker)])),
    );
    const stream = fileStream(toFileId("file_1"));
    const reference = { sha256: hash("sha256", bytes), bytes: bytes.length };
    const brought = { stream, expectedRevision: "noStream", events: newEvents("uploaded") } as const;
    await appended(under.log, { ...brought, contents: [{ stream, reference, text: bytes }] });
    expect(await filesHoldingIt()).to.include("log.sqlite-wal");
    await under.contents.erase({ stream, reference }, await under.source.head());
    await under.close();
    expect(await filesHoldingIt()).to.deep.equal([]);
    under = await openLogIn(folder);
  });

  it("is in no byte of the files as soon as its datasource was erased, while the log stays open", async () => {
    await bringAll("noStream");
    await under.contents.eraseDatasource(datasourceId);
    expect(await filesHoldingIt()).to.deep.equal([]);
  });
});
