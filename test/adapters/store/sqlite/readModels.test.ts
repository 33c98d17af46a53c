import { expect } from "chai";
import { groupClosure } from "../../../../projections/groupClosure/project.js";
import { openSqliteReadModels } from "../../../../src/adapters/store/sqlite/sqliteStorages.js";
import { accessReaderContract } from "../../../contracts/accessReaderContract.js";
import { catalogueReaderContract } from "../../../contracts/catalogueReaderContract.js";
import { credentialReaderContract } from "../../../contracts/credentialReaderContract.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { deliver } from "../../../support/givenProjection.js";
import { tokens } from "../../../support/readModelWriters.js";
import { NaiveAccess } from "../../../support/naiveAccess.js";
import { recordEvents } from "../../../support/recordEvents.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openTemporaryReadModels } from "../../../support/temporaryReadModels.js";
import { projectElsewhere } from "./projectElsewhere.js";

const wiki = eventsOn("wiki");
const ann = wiki.email("ann");

describe("read models on SQLite", () => {
  describe("access", () => {
    accessReaderContract(() => {
      const readModels = openTemporaryReadModels();
      return {
        access: readModels.readers.access,
        writer: readModels.writers.groupClosure,
        close: () => readModels.close(),
      };
    });
  });

  describe("catalogue", () => {
    catalogueReaderContract(() => {
      const readModels = openTemporaryReadModels();
      return {
        catalogue: readModels.readers.catalogue,
        writer: readModels.writers.catalogue,
        close: () => readModels.close(),
      };
    });
  });

  describe("credentials", () => {
    credentialReaderContract(() => {
      const readModels = openTemporaryReadModels();
      return {
        credentials: readModels.readers.credentials,
        writer: readModels.writers.credentials,
        close: () => readModels.close(),
      };
    });
  });

  it("can be read before anything was projected", async () => {
    const folder = temporaryFolder("read-models");
    const readers = openSqliteReadModels({ file: `${folder.path}/new/readModels.sqlite` });
    expect((await readers.access.heldTokens(ann)).tokens).to.deep.equal([]);
    expect(await readers.catalogue.list()).to.deep.equal([]);
    expect(await readers.credentials.list()).to.deep.equal([]);
    readers.close();
    folder.remove();
  });

  it("notices more changes than are remembered one by one", async () => {
    const readModels = openTemporaryReadModels();
    const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
    await deliver(
      under,
      recordEvents([
        wiki.opened(),
        wiki.created("all"),
        wiki.created("staff"),
        wiki.registered("ann"),
        wiki.joins("ann", "staff"),
      ]),
    );
    const { access } = readModels.readers;
    const all = [tokens.group(wiki.datasourceId, "all")];
    expect(await access.holdsAny(wiki.datasourceId, ann, all)).to.equal(false);
    await deliver(under, recordEvents([wiki.nests("staff", "all")], 100));
    for (let index = 0; index < 300; index++)
      await deliver(under, recordEvents([wiki.created(`g${index}`)], 200 + 2 * index));
    expect(await access.holdsAny(wiki.datasourceId, ann, all)).to.equal(true);
    readModels.close();
  });

  it("takes a group that was renamed and moved at once from its row, not from what the journal said of it before", async () => {
    const readModels = openTemporaryReadModels();
    const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
    const { access } = readModels.readers;
    await deliver(
      under,
      recordEvents([
        wiki.opened(),
        wiki.created("all"),
        wiki.created("staff"),
        wiki.registered("ann"),
        wiki.joins("ann", "staff"),
      ]),
    );
    await deliver(under, recordEvents([wiki.nests("staff", "all")], 100));
    expect((await access.heldTokens(ann)).tokens.length).to.equal(4);
    await deliver(under, recordEvents([wiki.unnests("staff", "all"), wiki.renamed("staff", "crew")], 200));
    expect(await access.holdsAny(wiki.datasourceId, ann, [tokens.group(wiki.datasourceId, "all")])).to.equal(false);
    for (let index = 0; index < 300; index++)
      await deliver(under, recordEvents([wiki.created(`g${index}`)], 300 + 2 * index));
    readModels.restartWriters();
    const hypotheticalEntity = openSqliteReadModels({ file: readModels.file });
    expect(
      await hypotheticalEntity.access.holdsAny(wiki.datasourceId, ann, [tokens.group(wiki.datasourceId, "all")]),
    ).to.equal(false);
    hypotheticalEntity.close();
    readModels.close();
  });

  it("stays right while the journal of moved groups is folded into their rows, for writers and readers that come and go", async () => {
    const readModels = openTemporaryReadModels();
    const naive = new NaiveAccess();
    const names = ["a", "b", "c", "d", "e", "f"];
    const opening = [
      wiki.opened(),
      wiki.registered("ann"),
      ...names.map((name) => wiki.created(name)),
      wiki.joins("ann", "f"),
    ];
    const changes = Array.from({ length: 700 }, (_, index) => {
      const [member, group] = [(index % 5) + 1, Math.floor(index / 7) % ((index % 5) + 1)].map(
        (place) => names[place] as string,
      ) as [string, string];
      if (index % 50 === 49) return wiki.renamed("c", `c${index}`);
      return index % 3 === 2 ? wiki.unnests(member, group) : wiki.nests(member, group);
    });
    for (const [index, events] of [opening, ...changes.map((change) => [change])].entries()) {
      if (index % 130 === 129) readModels.restartWriters();
      await deliver(
        { projection: groupClosure, writer: readModels.writers.groupClosure },
        recordEvents(events, 100 * index),
      );
      for (const event of events) naive.follow(event);
      if (index % 9 !== 0) continue;
      const hypotheticalEntity = openSqliteReadModels({ file: readModels.file });
      for (const { access } of [readModels.readers, hypotheticalEntity]) {
        expect([...(await access.heldTokens(ann)).tokens].sort()).to.deep.equal(naive.heldTokens(ann, tokens));
      }
      hypotheticalEntity.close();
    }
    readModels.close();
  });

  it("serves what another process projected, in every answer from the next turn after that commit", async () => {
    const readModels = openTemporaryReadModels();
    const { access } = readModels.readers;
    const other = projectElsewhere(readModels.file);
    const staff = [tokens.group(wiki.datasourceId, "staff")];
    const opening = recordEvents([wiki.opened(), wiki.created("staff"), wiki.registered("ann")]);
    await other.project(opening);
    for (let round = 0; round < 20; round++) {
      const before = await access.heldTokens(ann);
      const [joined] = recordEvents([wiki.joins("ann", "staff")], 100 + 10 * round);
      await other.project([joined as NonNullable<typeof joined>]);
      expect(await access.holdsAny(wiki.datasourceId, ann, staff)).to.equal(true);
      expect((await access.heldTokens(ann)).tokens).to.deep.equal([...before.tokens, ...staff]);
      const [left] = recordEvents([wiki.leaves("ann", "staff")], 105 + 10 * round);
      const waiting = access.reached((left as NonNullable<typeof left>).position, 10_000);
      await other.project([left as NonNullable<typeof left>]);
      expect(await access.holdsAny(wiki.datasourceId, ann, staff)).to.equal(false);
      expect(await access.heldTokens(ann)).to.deep.equal(before);
      expect(await waiting).to.equal(true);
    }
    await other.close();
    readModels.close();
  });
});
