import { expect } from "chai";
import type { CatalogueChange } from "../../projections/catalogue/ports.js";
import { catalogue as projection } from "../../projections/catalogue/readModel.js";
import type { ProjectionWriter } from "../../projections/ports.js";
import type { CatalogueReader } from "../../queries/ports.js";
import { toDatasourceName } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { eventsOn } from "../support/accessLanguage.js";
import { deliver } from "../support/givenProjection.js";
import { recordEvents } from "../support/recordEvents.js";

export interface CatalogueUnderTest {
  readonly catalogue: CatalogueReader;
  readonly writer: ProjectionWriter<CatalogueChange>;
  close(): void | Promise<void>;
}

const wiki = eventsOn("wiki");
const files = eventsOn("files");

/** What every reader of the catalogue promises. `open` gives a fresh one each time. */
export function catalogueReaderContract(open: () => CatalogueUnderTest | Promise<CatalogueUnderTest>): void {
  let under: CatalogueUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it("finds by name what is registered now", async () => {
    expect(await under.catalogue.find(wiki.datasource.name)).to.equal(null);
    await deliver({ projection, writer: under.writer }, recordEvents([wiki.opened(), files.opened()]));
    expect(await under.catalogue.find(wiki.datasource.name)).to.deep.equal(wiki.datasource);
    expect(await under.catalogue.find(toDatasourceName("other"))).to.equal(null);
    expect(await under.catalogue.list()).to.deep.equal([files.datasource, wiki.datasource]);
    await deliver({ projection, writer: under.writer }, recordEvents([wiki.deleted()], 100));
    expect(await under.catalogue.find(wiki.datasource.name)).to.equal(null);
    expect(await under.catalogue.list()).to.deep.equal([files.datasource]);
  });

  it("knows how far it has come", async () => {
    await deliver({ projection, writer: under.writer }, recordEvents([wiki.opened()]));
    expect(await under.catalogue.position()).to.equal(toPosition(2));
    expect(await under.catalogue.reached(toPosition(2), 0)).to.equal(true);
    expect(await under.catalogue.reached(toPosition(3), 1)).to.equal(false);
  });
}
