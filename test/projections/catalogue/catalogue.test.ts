import { catalogue } from "../../../projections/catalogue/readModel.js";
import type { Datasource, ObjectDefinition } from "../../../src/events/datasource.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { projectionScenarios } from "../../support/givenProjection.js";
import { readModelEngines, type ReadModelEngine } from "../../support/readModelEngines.js";

const scenariosOn = (engine: ReadModelEngine) =>
  projectionScenarios<unknown, readonly Datasource[]>(async () => {
    const readModels = await engine.open();
    return {
      projection: catalogue as never,
      writer: readModels.writers.catalogue as never,
      rows: () => readModels.readers.catalogue.list(),
      close: () => readModels.close(),
    };
  });

const wiki = eventsOn("wiki");
const files = eventsOn("files");
const { datasourceId } = wiki;
const subAdded = (key: string, parentKey: string | null = null, nested: readonly string[] = []): DomainEvent => ({
  type: "SubAdded",
  data: {
    ...{ datasourceId, name: key.toUpperCase(), key, parentKey },
    subs: nested.map((child) => ({ name: child.toUpperCase(), key: child })),
  },
});
const subRemoved = (key: string, parentKey: string | null = null): DomainEvent => ({
  type: "SubRemoved",
  data: { datasourceId, key, parentKey },
});
const updated = (data: object): DomainEvent => ({ type: "DatasourceUpdated", data: { datasourceId, ...data } });
const sub = (key: string, subs: readonly string[] = []) => ({
  name: key.toUpperCase(),
  key,
  subs: subs.map((child) => ({ name: child.toUpperCase(), key: child })),
});
const objectDefinitions: readonly ObjectDefinition[] = [
  {
    name: "Page",
    propertyDefinitions: [{ name: "status", displayLabel: "Status", isSearchable: true, propertyType: "TEXT" }],
  },
];

describe("catalogue", () => {
  for (const engine of readModelEngines) engine.describe(() => catalogueSuite(engine));
});

function catalogueSuite(engine: ReadModelEngine): void {
  const given = scenariosOn(engine);

  it("lists datasources by name, as they were registered", () =>
    given([wiki.opened(), files.opened()]).then([files.datasource, wiki.datasource]));

  it("follows what is updated, field by field", () =>
    given([
      wiki.opened(),
      updated({ displayName: "Wiki!", icon: "aWNvbg==" }),
      updated({ objectDefinitions }),
      updated({ icon: null }),
    ])
      .redelivered()
      .then([{ ...wiki.datasource, displayName: "Wiki!", icon: null, objectDefinitions }]));

  const withSubs = [
    wiki.opened(),
    subAdded("a"),
    subAdded("b"),
    subAdded("x", "a"),
    subAdded("y", "a"),
    subAdded("x", "b"),
  ];

  it("keeps subs under their parents, in the order they came", () =>
    given(withSubs)
      .redelivered()
      .then([{ ...wiki.datasource, subs: [sub("a", ["x", "y"]), sub("b", ["x"])] }]));

  it("keeps subs that came nested in their parent, beside those that came later", () =>
    given([wiki.opened(), subAdded("a", null, ["x", "y"]), subAdded("z", "a"), subRemoved("x", "a")])
      .redelivered()
      .then([{ ...wiki.datasource, subs: [sub("a", ["y", "z"])] }]));

  it("removes a child under one parent alone", () =>
    given([...withSubs, subRemoved("x", "a")])
      .redelivered()
      .then([{ ...wiki.datasource, subs: [sub("a", ["y"]), sub("b", ["x"])] }]));

  it("removes a sub with its children", () =>
    given([...withSubs, subRemoved("a")]).then([{ ...wiki.datasource, subs: [sub("b", ["x"])] }]));

  it("drops what is deleted, and passes over what comes late for it", () =>
    given([...withSubs, wiki.deleted(), subAdded("c"), updated({ displayName: "late" })])
      .redelivered()
      .then([]));

  it("serves the new incarnation of a name that is used again", () => {
    const again = eventsOn("wiki", 2);
    return given([...withSubs, wiki.deleted(), again.opened()]).then([again.datasource]);
  });

  it("ignores events of other categories", () =>
    given([wiki.opened(), wiki.created("group"), wiki.registered("ann")]).then([wiki.datasource]));

  it("withdraws a datasource of which an event cannot be applied", () =>
    given([wiki.opened(), updated({ displayName: "?" })])
      .parked()
      .then([]));
}
