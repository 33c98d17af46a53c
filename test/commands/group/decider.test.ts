import { expect } from "chai";
import * as fc from "fast-check";
import { membershipsPerDeletion } from "../../../commands/aggregate.js";
import { decide, type GroupCommand } from "../../../commands/group/decider.js";
import {
  evolve,
  initialState,
  pathUp,
  retract,
  type GroupGraph,
  type GroupNode,
} from "../../../commands/group/groupGraph.js";
import type { GroupGraphEvent } from "../../../src/events/groupGraph.js";
import { toGroupId, type GroupId } from "../../../src/shared/ids.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import { datasourceId, engineersId, events, staffId, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const given = deciderScenarios({ initialState, evolve, decide });
const place = { datasourceId, datasource: wiki };
const created = (name: string): GroupGraphEvent => ({
  type: "GroupCreated",
  data: { datasourceId, groupId: toGroupId(`group-${name}`), name },
});
const edge = (type: "MembershipAdded" | "MembershipRemoved", member: string, group: string): GroupGraphEvent => ({
  type,
  data: {
    datasourceId,
    groupId: toGroupId(`group-${group}`),
    member: { kind: "group", groupId: toGroupId(`group-${member}`) },
  },
});
const joined = (member: string, group: string) => edge("MembershipAdded", member, group);
const add = (member: string, group: string): GroupCommand => ({ ...place, type: "AddNestedGroup", group, member });
const remove = (member: string, group: string): GroupCommand => ({
  ...place,
  type: "RemoveNestedGroup",
  group,
  member,
});
const dissolve = (name: string): GroupCommand => ({ ...place, type: "DeleteGroup", name });
const dissolved = (name: string): GroupGraphEvent => ({
  type: "GroupDeleted",
  data: { datasourceId, groupId: toGroupId(`group-${name}`), name },
});
const rename = (name: string, newName: string): GroupCommand => ({ ...place, type: "RenameGroup", name, newName });
const create = (name: string): GroupCommand => ({
  ...place,
  type: "CreateGroup",
  groupId: toGroupId(`group-${name}`),
  name,
});
const two = [events.GroupCreated, created("engineers")];

describe("the decider of groups", () => {
  describe("CreateGroup", () => {
    it("DeleteGroup deleted: its nestings end first, and its name is free", () => {
      const before = [created("a"), created("b"), created("c"), joined("a", "b"), joined("b", "c")];
      const gone = [edge("MembershipRemoved", "b", "c"), edge("MembershipRemoved", "a", "b"), dissolved("b")];
      given(before).when(dissolve("b")).then(gone);
      given([...before, ...gone])
        .when(dissolve("b"))
        .thenRejected({ type: "GroupNotFound", datasource: "wiki", group: "b" });
      given([...before, ...gone])
        .when(add("a", "c"))
        .then([joined("a", "c")]);
    });

    it("DeleteGroup in steps: more nestings than one append can take", () => {
      const members = Array.from({ length: membershipsPerDeletion + 1 }, (_, index) => `m${index}`);
      const graph = [created("all"), ...members.flatMap((name) => [created(name), joined(name, "all")])].reduce(
        evolve,
        initialState(),
      );
      const first = decide(dissolve("all"), graph);
      expect(first.ok && [first.value.length, first.value.at(-1)?.type]).to.deep.equal([
        membershipsPerDeletion,
        "MembershipRemoved",
      ]);
    });

    it("created", () => {
      given([]).when(create("staff")).then([events.GroupCreated]);
      given([events.GroupCreated])
        .when(create("Staff"))
        .then([created("Staff")]);
    });

    it("created: under a name that a rename set free", () => {
      const reused: GroupCommand = { ...place, type: "CreateGroup", groupId: toGroupId("group-new"), name: "staff" };
      given([events.GroupCreated, events.GroupRenamed])
        .when(reused)
        .then([{ type: "GroupCreated", data: { datasourceId, groupId: toGroupId("group-new"), name: "staff" } }]);
    });

    it("rejected: the name is taken, by creation or by rename", () => {
      given([events.GroupCreated])
        .when(create("staff"))
        .thenRejected({ type: "GroupExists", datasource: "wiki", group: "staff" });
      given([events.GroupCreated, events.GroupRenamed]).when(create("everybody")).thenRejected("GroupExists");
    });
  });

  describe("RenameGroup", () => {
    it("renamed", () => {
      given(two).when(rename("staff", "everybody")).then([events.GroupRenamed]);
    });

    it("repeated: to its own name", () => {
      given(two).when(rename("staff", "staff")).thenNothing();
    });

    it("rejected: to another group's name", () => {
      given(two)
        .when(rename("staff", "engineers"))
        .thenRejected({ type: "GroupExists", datasource: "wiki", group: "engineers" });
    });

    it("rejected: no group has this name, or no longer", () => {
      given([])
        .when(rename("staff", "everybody"))
        .thenRejected({ type: "GroupNotFound", datasource: "wiki", group: "staff" });
      given([...two, events.GroupRenamed])
        .when(rename("staff", "all"))
        .thenRejected("GroupNotFound");
    });
  });

  describe("AddNestedGroup", () => {
    it("added: by the names that the groups have now", () => {
      given(two).when(add("engineers", "staff")).then([events.MembershipAdded]);
      given([...two, events.GroupRenamed])
        .when(add("engineers", "everybody"))
        .then([events.MembershipAdded]);
    });

    it("added: a diamond is no cycle", () => {
      const history = [..."abcd"].map(created).concat(joined("a", "b"), joined("a", "c"), joined("b", "d"));
      given(history)
        .when(add("c", "d"))
        .then([joined("c", "d")]);
      given([...history, joined("c", "d")])
        .when(add("a", "d"))
        .then([joined("a", "d")]);
    });

    it("added: again after it was removed, and the other way round", () => {
      given([...two, events.MembershipAdded, events.MembershipRemoved])
        .when(add("engineers", "staff"))
        .then([events.MembershipAdded]);
      given([...two, events.MembershipAdded, events.MembershipRemoved])
        .when(add("staff", "engineers"))
        .then([joined("staff", "engineers")]);
    });

    it("rejected: it is a member already", () => {
      given([...two, events.MembershipAdded])
        .when(add("engineers", "staff"))
        .thenRejected({ type: "MembershipExists", group: "staff", member: "engineers" });
    });

    it("rejected: the joined group, then the member, does not exist", () => {
      given([])
        .when(add("engineers", "staff"))
        .thenRejected({ type: "GroupNotFound", datasource: "wiki", group: "staff" });
      given([events.GroupCreated])
        .when(add("engineers", "staff"))
        .thenRejected({ type: "GroupNotFound", datasource: "wiki", group: "engineers" });
    });

    it("rejected: a group in itself", () => {
      given(two)
        .when(add("staff", "staff"))
        .thenRejected({ type: "MembershipCycle", path: ["staff", "staff"] });
    });

    it("rejected: a cycle, told as the way round", () => {
      given([...two, events.MembershipAdded])
        .when(add("staff", "engineers"))
        .thenRejected({ type: "MembershipCycle", path: ["engineers", "staff", "engineers"] });
      const chain = [..."abcd"].map(created).concat(joined("a", "b"), joined("b", "c"), joined("c", "d"));
      given(chain)
        .when(add("d", "a"))
        .thenRejected({ type: "MembershipCycle", path: ["a", "b", "c", "d", "a"] });
    });

    it("rejected: of several ways round, the shortest is told, by the names of now", () => {
      const history = [..."abcd"]
        .map(created)
        .concat(joined("a", "b"), joined("b", "c"), joined("c", "d"), joined("a", "d"));
      const renamed: GroupGraphEvent = {
        type: "GroupRenamed",
        data: { datasourceId, groupId: toGroupId("group-d"), name: "top", previousName: "d" },
      };
      given([...history, renamed])
        .when(add("top", "a"))
        .thenRejected({ type: "MembershipCycle", path: ["a", "top", "a"] });
    });
  });

  describe("RemoveNestedGroup", () => {
    it("removed", () => {
      given([...two, events.MembershipAdded])
        .when(remove("engineers", "staff"))
        .then([events.MembershipRemoved]);
    });

    it("rejected: it is no direct member, or no longer", () => {
      const gone = { type: "MembershipNotFound", group: "staff", member: "engineers" } as const;
      given(two).when(remove("engineers", "staff")).thenRejected(gone);
      given([...two, events.MembershipAdded, events.MembershipRemoved])
        .when(remove("engineers", "staff"))
        .thenRejected(gone);
      const chain = [..."abc"].map(created).concat(joined("a", "b"), joined("b", "c"));
      given(chain).when(remove("a", "c")).thenRejected("MembershipNotFound");
    });

    it("rejected: one of the groups does not exist", () => {
      given([]).when(remove("engineers", "staff")).thenRejected("GroupNotFound");
      given([events.GroupCreated])
        .when(remove("engineers", "staff"))
        .thenRejected({ type: "GroupNotFound", datasource: "wiki", group: "engineers" });
    });
  });

  describe("over any history of accepted commands", () => {
    const name = fc.constantFrom(..."abcdef");
    const commands = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.tuple(name, name).map(([member, group]) => add(member, group)) },
        { weight: 1, arbitrary: fc.tuple(name, name).map(([member, group]) => remove(member, group)) },
        { weight: 1, arbitrary: fc.tuple(name, name).map(([from, to]) => rename(from, to)) },
      ),
      { maxLength: 60 },
    );
    const start = (): GroupGraph => [..."abcd"].map(created).reduce(evolve, initialState());

    it("no group is ever a member of itself, and whatever would make it one is refused as a cycle", () => {
      fc.assert(
        fc.property(commands, (sequence) => {
          const graph = start();
          for (const command of sequence) {
            const decision = decide(command, graph);
            if (decision.ok) decision.value.reduce(evolve, graph);
            else if (decision.error.type === "MembershipCycle")
              expect(decision.error.path.at(0)).to.equal(decision.error.path.at(-1));
          }
          expect(reachesItself(graph)).to.deep.equal([]);
        }),
        propertyRuns(500),
      );
    });

    it("an event that is taken back leaves the graph as it was", () => {
      fc.assert(
        fc.property(commands, (sequence) => {
          const graph = start();
          for (const command of sequence) {
            const before = contents(graph);
            const decision = decide(command, graph);
            const followed = decision.ok ? decision.value : [];
            followed.reduce(evolve, graph);
            followed.reduceRight((later, event) => retract(later, event), graph);
            expect(contents(graph)).to.deep.equal(before);
            followed.reduce(evolve, graph);
          }
        }),
        propertyRuns(200),
      );
    });

    it("a created group that is taken back never was", () => {
      const graph = start();
      const before = contents(graph);
      expect(contents(retract(evolve(graph, created("x")), created("x")))).to.deep.equal(before);
    });
  });

  it("finds a way up through a deep and wide graph once per group", () => {
    const graph = initialState();
    const layers = Array.from({ length: 200 }, (_, layer) => [`l${layer}`, `r${layer}`]);
    for (const group of layers.flat()) evolve(graph, created(group));
    for (const [layer, groups] of layers.entries()) {
      for (const member of groups) for (const parent of layers[layer + 1] ?? []) evolve(graph, joined(member, parent));
    }
    expect(pathUp(graph, toGroupId("group-l0"), toGroupId("group-r199"))).to.have.length(200);
    expect(pathUp(graph, toGroupId("group-r199"), toGroupId("group-l0"))).to.equal(null);
  });

  it("holds people's memberships elsewhere", () => {
    expect([staffId, engineersId].map((id) => evolve(initialState(), joined("x", "y")).groups.has(id))).to.deep.equal([
      false,
      false,
    ]);
  });
});

/** Everything that the graph says, apart from how it is laid out. */
const contents = ({ groups, idsByName }: GroupGraph) => ({
  groups: [...(groups as Map<GroupId, GroupNode>)]
    .map(([id, { name, parents }]) => [id, name, [...(parents ?? [])].sort()])
    .sort(),
  names: [...(idsByName as Map<string, GroupId>)].sort(),
});

/** By a plain depth-first search of its own. */
function reachesItself({ groups }: GroupGraph): string[] {
  const reaches = (from: string, target: string, seen: Set<string>): boolean =>
    [...(groups.get(toGroupId(from))?.parents ?? [])].some((parent) => {
      if (parent === target) return true;
      if (seen.has(parent)) return false;
      seen.add(parent);
      return reaches(parent, target, seen);
    });
  return [...(groups as Map<GroupId, GroupNode>).keys()].filter((id) => reaches(id, id, new Set()));
}
