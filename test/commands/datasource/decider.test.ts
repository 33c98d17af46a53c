import { expect } from "chai";
import { decide, evolve, initialState, type DatasourceCommand } from "../../../commands/datasource/decider.js";
import type { RegisterDatasource, SubDeclaration } from "../../../commands/commands.js";
import type { DatasourceEvent, PropertyType } from "../../../src/events/datasource.js";
import { toDatasourceId } from "../../../src/shared/ids.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import { commands, datasourceId, events, wiki, wikiDatasource } from "../../support/examples.js";

const given = deciderScenarios({ initialState, evolve, decide });
const registered: readonly DatasourceEvent[] = [events.DatasourceRegistered];

const register = (change: Partial<RegisterDatasource> = {}): DatasourceCommand => ({
  type: "RegisterDatasource",
  datasourceId,
  declaration: { ...commands.registerDatasource, ...change },
});
const sub = (name: string, change: Partial<SubDeclaration> = {}): SubDeclaration => ({
  name,
  key: null,
  parentKey: null,
  subs: [],
  ...change,
});
const addSub = (declaration: SubDeclaration): DatasourceCommand => ({
  type: "AddSub",
  datasource: wiki,
  sub: declaration,
});
const removeSub = (key: string, parentKey: string | null = null): DatasourceCommand => ({
  type: "RemoveSub",
  datasource: wiki,
  key,
  parentKey,
});
const update = (change: object): DatasourceCommand => ({ type: "UpdateDatasource", update: { name: wiki, ...change } });
const property = (name: string, propertyType: PropertyType) => ({
  name,
  displayLabel: name,
  isSearchable: false,
  propertyType,
});
const object = (name: string, ...propertyDefinitions: ReturnType<typeof property>[]) => ({ name, propertyDefinitions });

describe("the decider of datasources", () => {
  describe("RegisterDatasource", () => {
    it("registered: with subs and property schemas in one event", () => {
      given([]).when(register()).then([events.DatasourceRegistered]);
    });

    it("registered: the name is the label where none is given", () => {
      const bare = { displayName: null, subs: [], objectDefinitions: [] };
      given([])
        .when(register(bare))
        .then([{ type: "DatasourceRegistered", data: { ...wikiDatasource, ...bare, displayName: "wiki" } }]);
    });

    it("registered: again after a deletion, as a new incarnation", () => {
      const command = { ...register(), datasourceId: toDatasourceId("incarnation2") } as DatasourceCommand;
      given([...registered, events.DatasourceDeleted])
        .when(command)
        .then([
          { type: "DatasourceRegistered", data: { ...wikiDatasource, datasourceId: toDatasourceId("incarnation2") } },
        ]);
    });

    it("registered: subs nested, or flat with the parent's key, in any order, with keys derived from names", () => {
      const nested = [sub("Häuser & Straßen", { subs: [sub("Berlin"), sub("Köln")] }), sub("Misc")];
      const flat = [
        sub("Köln", { parentKey: "haeuser_strassen" }),
        sub("Häuser & Straßen", { subs: [sub("Berlin")] }),
        sub("Misc"),
      ];
      const tree = (...children: readonly string[]) => [
        {
          name: "Häuser & Straßen",
          key: "haeuser_strassen",
          subs: children.map((name) => ({ name, key: name === "Köln" ? "koeln" : "berlin" })),
        },
        { name: "Misc", key: "misc", subs: [] },
      ];
      given([])
        .when(register({ subs: nested }))
        .then([{ type: "DatasourceRegistered", data: { ...wikiDatasource, subs: tree("Berlin", "Köln") } }]);
      given([])
        .when(register({ subs: flat }))
        .then([{ type: "DatasourceRegistered", data: { ...wikiDatasource, subs: tree("Köln", "Berlin") } }]);
    });

    it("registered: 40,000 subs take time in proportion to them", () => {
      const subs = Array.from({ length: 10_000 }, (_, n) =>
        sub(`Sub ${n}`, { subs: ["a", "b", "c"].map((name) => sub(name)) }),
      );
      const before = process.cpuUsage();
      const decided = decide(register({ subs }), initialState());
      const { user, system } = process.cpuUsage(before);
      expect(decided.ok && decided.value).to.have.length(1);
      expect((user + system) / 1_000, "milliseconds of a processor").to.be.below(3_000);
    });

    it("registered: a property may stand in several object types as long as it has one type", () => {
      const objectDefinitions = [
        object("page", property("team", "TEXT")),
        object("blog", property("team", "TEXT"), property("due", "DATE")),
      ];
      given([])
        .when(register({ objectDefinitions }))
        .then([{ type: "DatasourceRegistered", data: { ...wikiDatasource, objectDefinitions } }]);
    });

    it("rejected: the name is taken", () => {
      given(registered).when(register()).thenRejected({ type: "DatasourceExists", datasource: "wiki" });
    });

    it("rejected: one property with two types", () => {
      const objectDefinitions = [object("page", property("team", "TEXT")), object("blog", property("team", "DATE"))];
      given([])
        .when(register({ objectDefinitions }))
        .thenRejected({ type: "PropertyTypeConflict", property: "team", types: ["TEXT", "DATE"] });
    });

    it("rejected: one key twice under the same parent, though not under two", () => {
      given([])
        .when(register({ subs: [sub("A"), sub("a!")] }))
        .thenRejected({ type: "SubExists", key: "a", parentKey: null });
      const twins = sub("A", { subs: [sub("B"), sub("b")] });
      given([])
        .when(register({ subs: [twins] }))
        .thenRejected({ type: "SubExists", key: "b", parentKey: "a" });
      const cousins = [sub("A", { subs: [sub("B")] }), sub("B", { subs: [sub("B")] })];
      const subs = [
        { name: "A", key: "a", subs: [{ name: "B", key: "b" }] },
        { name: "B", key: "b", subs: [{ name: "B", key: "b" }] },
      ];
      given([])
        .when(register({ subs: cousins }))
        .then([{ type: "DatasourceRegistered", data: { ...wikiDatasource, subs } }]);
    });

    it("rejected: a third level, nested or flat", () => {
      const nested = [sub("A", { subs: [sub("B", { subs: [sub("C")] })] })];
      given([])
        .when(register({ subs: nested }))
        .thenRejected({ type: "SubTooDeep", parentKey: "b", at: [0, 0], field: "subs" });
      const flat = [sub("A"), sub("B", { parentKey: "a" }), sub("C", { parentKey: "b" })];
      given([])
        .when(register({ subs: flat }))
        .thenRejected({ type: "SubTooDeep", parentKey: "b", at: [2], field: "parent_key" });
    });

    it("rejected: an unknown parent, or another one than the sub is nested in", () => {
      given([])
        .when(register({ subs: [sub("A", { parentKey: "x" })] }))
        .thenRejected({ type: "SubParentNotFound", parentKey: "x" });
      const astray = [sub("A", { subs: [sub("B", { parentKey: "x" })] }), sub("X")];
      given([])
        .when(register({ subs: astray }))
        .thenRejected({ type: "SubParentContradicted", parentKey: "x", nestedIn: "a", at: [0, 0] });
      given([])
        .when(register({ subs: [sub("Self", { parentKey: "self" })] }))
        .thenRejected({ type: "SubParentNotFound", parentKey: "self" });
    });

    it("rejected: no key is given and none can be derived", () => {
      const subs = [sub("A"), sub("B", { subs: [sub("C"), sub("2024")] })];
      given([])
        .when(register({ subs }))
        .thenRejected({ type: "SubKeyUnderivable", name: "2024", at: [1, 1] });
      given(registered)
        .when(addSub(sub("2024")))
        .thenRejected({ type: "SubKeyUnderivable", name: "2024", at: [] });
    });
  });

  describe("UpdateDatasource", () => {
    it("updated: what was given and differs, and nothing else", () => {
      given(registered)
        .when(update({ displayName: "The wiki", icon: "aWNvbg==" }))
        .then([events.DatasourceUpdated]);
      given(registered)
        .when(update({ displayName: "Wiki", icon: "aWNvbg==", objectDefinitions: wikiDatasource.objectDefinitions }))
        .then([{ type: "DatasourceUpdated", data: { datasourceId, icon: "aWNvbg==" } }]);
      given([...registered, events.DatasourceUpdated])
        .when(update({ icon: null, objectDefinitions: [] }))
        .then([{ type: "DatasourceUpdated", data: { datasourceId, icon: null, objectDefinitions: [] } }]);
    });

    it("updated: who sees documents without permissions", () => {
      given(registered)
        .when(update({ defaultAccess: "nobody" }))
        .then([{ type: "DatasourceUpdated", data: { datasourceId, defaultAccess: "nobody" } }]);
      given(registered)
        .when(update({ defaultAccess: "anonymous" }))
        .thenNothing();
    });

    it("takes the subs that there are, in any order, and no others", () => {
      const declared = wikiDatasource.subs.map(({ name, key, subs }) => ({
        ...{ name, key, parentKey: null },
        subs: subs.map((child) => ({ ...child, parentKey: key, subs: [] })),
      }));
      given(registered)
        .when(update({ unchangedSubs: declared }))
        .thenNothing();
      given(registered)
        .when(update({ unchangedSubs: declared.toReversed() }))
        .thenNothing();
      const [first, ...others] = declared;
      const renamed = [{ ...(first as (typeof declared)[number]), name: "Else" }, ...others];
      for (const unchangedSubs of [[], others, renamed])
        given(registered).when(update({ unchangedSubs })).thenRejected("SubsCannotChange");
    });

    it("repeated: everything is so already", () => {
      given(registered).when(update({})).thenNothing();
      given(registered)
        .when(
          update({
            displayName: "Wiki",
            icon: null,
            objectDefinitions: structuredClone(wikiDatasource.objectDefinitions),
          }),
        )
        .thenNothing();
      given([...registered, events.DatasourceUpdated])
        .when(update({ displayName: "The wiki" }))
        .thenNothing();
    });

    it("rejected: no such datasource, before and after its life", () => {
      given([]).when(update({})).thenRejected({ type: "DatasourceNotFound", datasource: "wiki" });
      given([...registered, events.DatasourceDeleted])
        .when(update({}))
        .thenRejected("DatasourceNotFound");
    });

    it("rejected: one property with two types", () => {
      const objectDefinitions = [object("page", property("team", "TEXT"), property("team", "INTEGER"))];
      given(registered).when(update({ objectDefinitions })).thenRejected("PropertyTypeConflict");
    });
  });

  describe("DeleteDatasource", () => {
    it("deleted", () => {
      given(registered).when({ type: "DeleteDatasource", name: wiki }).then([events.DatasourceDeleted]);
    });

    it("rejected: no such datasource, or no longer", () => {
      given([]).when({ type: "DeleteDatasource", name: wiki }).thenRejected("DatasourceNotFound");
      given([...registered, events.DatasourceDeleted])
        .when({ type: "DeleteDatasource", name: wiki })
        .thenRejected("DatasourceNotFound");
    });
  });

  describe("AddSub", () => {
    it("added: at the top, or under a top-level sub", () => {
      given(registered).when(addSub(commands.addSub.sub)).then([events.SubAdded]);
      given(registered)
        .when(addSub(sub("Misc")))
        .then([{ type: "SubAdded", data: { datasourceId, name: "Misc", key: "misc", parentKey: null, subs: [] } }]);
    });

    it("added: with the subs nested in it, in one event", () => {
      given(registered)
        .when(addSub(sub("Misc", { subs: [sub("Old")] })))
        .then([
          {
            type: "SubAdded",
            data: { datasourceId, name: "Misc", key: "misc", parentKey: null, subs: [{ name: "Old", key: "old" }] },
          },
        ]);
    });

    it("added: 40,000 nested subs take one event, and time in proportion to them", () => {
      const subs = Array.from({ length: 40_000 }, (_, n) => sub(`Sub ${n}`));
      const state = registered.reduce(evolve, initialState());
      const before = process.cpuUsage();
      const decided = decide(addSub(sub("Misc", { subs })), state);
      const [added] = decided.ok ? decided.value : [];
      const after = added === undefined ? state : evolve(state, added);
      const { user, system } = process.cpuUsage(before);
      expect(decided.ok && decided.value).to.have.length(1);
      expect(after?.subs.find(({ key }) => key === "misc")?.subs).to.have.length(40_000);
      expect((user + system) / 1_000, "milliseconds of a processor").to.be.below(3_000);
    });

    it("rejected: the key exists under that parent", () => {
      given(registered)
        .when(addSub(sub("Guides")))
        .thenRejected({ type: "SubExists", key: "guides", parentKey: null });
      given([...registered, events.SubAdded])
        .when(addSub(commands.addSub.sub))
        .thenRejected({ type: "SubExists", key: "how_tos", parentKey: "guides" });
    });

    it("rejected: the parent is unknown, is a child itself, or was removed", () => {
      given(registered)
        .when(addSub(sub("A", { parentKey: "x" })))
        .thenRejected({ type: "SubParentNotFound", parentKey: "x" });
      given(registered)
        .when(addSub(sub("A", { parentKey: "onboarding" })))
        .thenRejected({ type: "SubTooDeep", parentKey: "onboarding", at: [], field: "parent_key" });
      given([...registered, events.SubRemoved])
        .when(addSub(commands.addSub.sub))
        .thenRejected({ type: "SubParentNotFound", parentKey: "guides" });
    });

    it("rejected: no such datasource", () => {
      given([])
        .when(addSub(sub("A")))
        .thenRejected("DatasourceNotFound");
    });
  });

  describe("RemoveSub", () => {
    it("removed: a top-level sub with its children", () => {
      given(registered).when(removeSub("guides")).then([events.SubRemoved]);
      given([...registered, events.SubRemoved])
        .when(removeSub("onboarding"))
        .thenRejected("SubNotFound");
    });

    it("removed: the only child of that key, or the one under the parent that was named", () => {
      given(registered)
        .when(removeSub("onboarding"))
        .then([{ type: "SubRemoved", data: { datasourceId, key: "onboarding", parentKey: "guides" } }]);
      given(registered)
        .when(removeSub("archive", "policies"))
        .then([{ type: "SubRemoved", data: { datasourceId, key: "archive", parentKey: "policies" } }]);
      given([...registered, events.SubRemoved])
        .when(removeSub("archive"))
        .then([{ type: "SubRemoved", data: { datasourceId, key: "archive", parentKey: "policies" } }]);
    });

    it("removed: of a top-level sub and a child with one key, the top-level one", () => {
      const archive: DatasourceEvent = {
        type: "SubAdded",
        data: { datasourceId, name: "Archive", key: "archive", parentKey: null, subs: [] },
      };
      given([...registered, archive])
        .when(removeSub("archive"))
        .then([{ type: "SubRemoved", data: { datasourceId, key: "archive", parentKey: null } }]);
    });

    it("rejected: the key stands under several parents", () => {
      given(registered)
        .when(removeSub("archive"))
        .thenRejected({ type: "SubAmbiguous", key: "archive", parentKeys: ["guides", "policies"] });
    });

    it("rejected: no such sub, or not under that parent, or no longer", () => {
      given(registered).when(removeSub("x")).thenRejected({ type: "SubNotFound", key: "x", parentKey: null });
      given(registered)
        .when(removeSub("onboarding", "policies"))
        .thenRejected({ type: "SubNotFound", key: "onboarding", parentKey: "policies" });
      given(registered).when(removeSub("guides", "policies")).thenRejected("SubNotFound");
      given([...registered, events.SubRemoved])
        .when(removeSub("guides"))
        .thenRejected("SubNotFound");
    });

    it("rejected: no such datasource", () => {
      given([]).when(removeSub("guides")).thenRejected("DatasourceNotFound");
    });
  });
});
