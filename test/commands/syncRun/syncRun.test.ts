import { expect } from "chai";
import type { Commands, FoundSyncRun, IndexDocument } from "../../../commands/commands.js";
import { toDatasourceName, toDocumentId, toSyncRunId, type DocumentId } from "../../../src/shared/ids.js";
import { failed } from "../../../src/shared/result.js";
import { commands as examples, limitedTo, operator, wiki } from "../../support/examples.js";
import { accepted, openTemporaryCommands, outcome, type CommandsUnderTest } from "../temporaryCommands.js";

const ids = (...names: readonly string[]): readonly DocumentId[] => names.map(toDocumentId);
const document = (id: string, change: Partial<IndexDocument> = {}): IndexDocument => ({
  ...examples.indexDocument,
  ...{ documentId: toDocumentId(id), sub: null, childSub: null },
  ...change,
});

describe("a sync run", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  let time: Date;
  beforeEach(async () => {
    time = new Date("2026-01-02T03:04:05.678Z");
    under = await openTemporaryCommands({ now: () => time });
    commands = under.commands;
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
    await push("a", "b", "c", "d");
  });
  afterEach(() => under.close());

  const push = (...names: readonly string[]) =>
    commands.indexDocuments(
      names.map((name) => document(name)),
      operator,
    );
  const start = async (maxDeletedShare = 1) =>
    (await accepted(commands.startSyncRun({ datasource: wiki, maxDeletedShare, expiresInHours: 24 }, operator))).value
      .syncRunId;
  const find = async (syncRunId: FoundSyncRun["syncRunId"]) =>
    (await accepted(commands.findSyncRun({ syncRunId }, operator))).value;
  const see = (syncRunId: FoundSyncRun["syncRunId"], ...names: readonly string[]) =>
    commands.seeDocuments({ syncRunId, documentIds: ids(...names) }, operator);
  const commit = (syncRunId: FoundSyncRun["syncRunId"], candidates = ids("a", "b", "c", "d"), isConfirmed = false) =>
    commands.commitSyncRun({ syncRunId, candidates, documents: 4, isConfirmed }, operator);
  const deleted = async () =>
    (await under.recorded()).flatMap(({ event, metadata }) =>
      event.type === "DocumentDeleted" ? [[event.data.documentId, metadata.causationId]] : [],
    );

  it("deletes what it has not seen, and names itself as the cause", async () => {
    const syncRunId = await start();
    await accepted(see(syncRunId, "a", "c"));
    await accepted(commit(syncRunId));
    const { value } = await accepted(
      commands.deleteUnseen({ syncRunId, candidates: ids("a", "b", "c", "d", "never") }, operator),
    );
    expect(value).to.equal(2);
    expect(await deleted()).to.deep.equal([
      ["b", syncRunId],
      ["d", syncRunId],
    ]);
  });

  it("keeps what was indexed since it began, by whomever, also where a commit was told otherwise", async () => {
    const syncRunId = await start();
    await commands.indexDocuments([document("b", { lastModified: "2025-01-01T00:00:00Z" }), document("new")], operator);
    await accepted(commit(syncRunId));
    await accepted(commands.deleteUnseen({ syncRunId, candidates: ids("a", "b", "new") }, operator));
    expect((await deleted()).map(([id]) => id)).to.deep.equal(["a"]);
  });

  it("goes on where a commit was cut short, and deletes nothing twice", async () => {
    const syncRunId = await start(0.5);
    await accepted(see(syncRunId, "a", "c"));
    await accepted(commit(syncRunId));
    await accepted(commands.deleteUnseen({ syncRunId, candidates: ids("b") }, operator));
    const { commands: other } = { commands: await under.another({ now: () => time }) };
    expect(
      await outcome(
        other.commitSyncRun({ syncRunId, candidates: ids("a", "c", "d"), documents: 3, isConfirmed: false }, operator),
      ),
    ).to.equal("accepted");
    expect((await accepted(other.deleteUnseen({ syncRunId, candidates: ids("b", "d") }, operator))).value).to.equal(1);
    expect((await deleted()).map(([id]) => id)).to.deep.equal(["b", "d"]);
    expect((await under.recorded()).filter(({ event }) => event.type === "SyncRunCommitted")).to.have.length(1);
  });

  it("is not committed above its threshold, goes on, and is once that is confirmed", async () => {
    const syncRunId = await start(0.25);
    await accepted(see(syncRunId, "a", "b"));
    expect(await commit(syncRunId)).to.deep.equal(
      failed({ type: "SyncRunDeletesTooMuch", missing: 2, documents: 4, maxDeletedShare: 0.25 }),
    );
    expect((await find(syncRunId)).end).to.equal(null);
    await accepted(see(syncRunId, "c"));
    await accepted(commit(syncRunId));
    const confirmed = await start(0);
    expect(await outcome(commit(confirmed))).to.equal("SyncRunDeletesTooMuch");
    expect(await outcome(commit(confirmed, ids("a"), true))).to.equal("accepted");
  });

  it("takes nothing more once it is over, and deletes nothing unless it was committed", async () => {
    const [aborted, expired, open, committed] = [await start(), await start(), await start(), await start()];
    await accepted(commands.abortSyncRun({ syncRunId: aborted }, operator));
    await accepted(commands.abortSyncRun({ syncRunId: aborted }, operator));
    await accepted(commit(committed));
    for (const syncRunId of [aborted, committed]) expect(await outcome(see(syncRunId, "a"))).to.equal("SyncRunOver");
    expect(await outcome(commands.abortSyncRun({ syncRunId: committed }, operator))).to.equal("SyncRunOver");
    expect(await outcome(commit(aborted))).to.equal("SyncRunOver");
    const deletion = (syncRunId: typeof open) =>
      outcome(commands.deleteUnseen({ syncRunId, candidates: ids("a") }, operator));
    expect([await deletion(aborted), await deletion(open)]).to.deep.equal(["SyncRunOver", "SyncRunOpen"]);
    time = new Date(time.getTime() + 24 * 3_600_000);
    expect((await find(expired)).end).to.equal("expired");
    expect(await outcome(see(expired, "a"))).to.equal("SyncRunOver");
    expect(await outcome(commit(expired))).to.equal("SyncRunOver");
    expect(await deleted()).to.deep.equal([]);
  });

  it("sees each document once, a thousand in an event", async () => {
    const syncRunId = await start();
    const many = Array.from({ length: 1_500 }, (_, index) => `d${index}`);
    await accepted(see(syncRunId, ...many));
    await accepted(see(syncRunId, "d0", "d1", "x", "x"));
    expect((await find(syncRunId)).seen.size).to.equal(1_501);
    const seen = (await under.recorded()).flatMap(({ event }) =>
      event.type === "DocumentsSeen" ? [event.data.documentIds.length] : [],
    );
    expect(seen).to.deep.equal([1_000, 500, 1]);
  });

  it("is of one datasource, and of one registration of it", async () => {
    const syncRunId = await start();
    const other = { syncRunId, documentIds: ids("a"), datasources: [wiki, toDatasourceName("files")] };
    expect(await outcome(commands.seeDocuments(other, operator))).to.equal("SyncRunOfOtherDatasource");
    const outsider = limitedTo("files");
    expect(await outcome(commands.findSyncRun({ syncRunId }, outsider))).to.equal("DatasourceForbidden");
    expect(
      await outcome(commands.commitSyncRun({ syncRunId, candidates: [], documents: 0, isConfirmed: true }, outsider)),
    ).to.equal("DatasourceForbidden");
    expect(await outcome(see(toSyncRunId("none"), "a"))).to.equal("SyncRunNotFound");
    await accepted(commands.deleteDatasource({ name: wiki }, operator));
    expect(await outcome(commit(syncRunId))).to.equal("SyncRunOver");
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
    expect(await outcome(see(syncRunId, "a"))).to.equal("SyncRunOver");
    expect(await outcome(commands.deleteUnseen({ syncRunId, candidates: ids("a") }, operator))).to.equal("SyncRunOver");
  });

  it("is written by a dry run to nothing", async () => {
    const syncRunId = await start();
    const before = await under.recorded();
    await accepted(commands.seeDocuments({ syncRunId, documentIds: ids("a") }, { ...operator, dryRun: true }));
    expect(await under.recorded()).to.deep.equal(before);
  });
});
