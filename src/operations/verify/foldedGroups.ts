import { match } from "ts-pattern";
import { permissionFactsOf, type FactAbout } from "../../audit/timeline/permissionFact.js";
import type { DatasourceId, GroupId, PrincipalToken } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { FoldedDatasources } from "./foldedDatasources.js";
import { readLog, type LogStretch } from "./readLog.js";
import type { HeldGroup } from "../../../queries/ports.js";
import { keyOf, type ExpectedSubject, type SubjectChoice } from "./expectedSubjects.js";
import { placeInSample, type SubjectBatch } from "./sampling.js";

interface Group {
  name: string | null;
  /** The groups that it belongs to directly. */
  readonly in: Set<GroupId>;
}

/** The groups of all live datasources as the log leaves them, without any closure: every question walks the edges. */
export class FoldedGroups {
  private readonly groups = new Map<DatasourceId, Map<GroupId, Group>>();

  static async read(stretch: Omit<LogStretch, "categories">, datasources: FoldedDatasources): Promise<FoldedGroups> {
    const groups = new FoldedGroups();
    for await (const events of readLog({ ...stretch, categories: ["groupGraph"] })) {
      for (const fact of events.flatMap(({ event }) => permissionFactsOf(event)))
        if (fact.about === "group" && datasources.isLive(fact.datasourceId)) groups.follow(fact);
    }
    return groups;
  }

  /** Whether the log ever named such a group of a live datasource. */
  knows(datasourceId: DatasourceId, groupId: GroupId): boolean {
    return this.groups.get(datasourceId)?.has(groupId) === true;
  }

  /** Tokens of the groups that somebody belongs to who belongs to these. */
  tokensAbove(
    tokens: PrincipalTokens,
    datasourceId: DatasourceId,
    direct: Iterable<GroupId>,
  ): ReadonlySet<PrincipalToken> {
    const held = new Set<PrincipalToken>();
    const groups = this.groups.get(datasourceId);
    const seen = new Set<GroupId>(direct);
    // A set that is walked meets what is put into it on the way.
    for (const groupId of seen) {
      const group = groups?.get(groupId);
      if (group === undefined) continue;
      held.add(
        group.name === null ? tokens.deletedGroup(datasourceId, groupId) : tokens.group(datasourceId, group.name),
      );
      for (const parent of group.in) seen.add(parent);
    }
    return held;
  }

  private follow(fact: FactAbout<"group">): void {
    const group = this.group(fact.datasourceId, fact.groupId);
    match(fact)
      .with({ kind: "created" }, { kind: "renamed" }, ({ name }) => {
        group.name = name;
      })
      .with({ kind: "deleted" }, () => {
        group.name = null;
      })
      .with({ kind: "joined" }, ({ parentId }) => void group.in.add(parentId))
      .with({ kind: "left" }, ({ parentId }) => void group.in.delete(parentId))
      .exhaustive();
  }

  private group(datasourceId: DatasourceId, groupId: GroupId): Group {
    const groups = this.groups.get(datasourceId) ?? new Map<GroupId, Group>();
    this.groups.set(datasourceId, groups);
    const group = groups.get(groupId) ?? { name: null, in: new Set() };
    groups.set(groupId, group);
    return group;
  }
}

interface GroupReading {
  readonly datasources: FoldedDatasources;
  readonly groups: FoldedGroups;
  readonly tokens: PrincipalTokens;
  readonly choice: SubjectChoice;
  /** Datasources that answer nobody: what is held of them says nothing. */
  readonly closed: ReadonlySet<DatasourceId>;
  held(): AsyncIterable<readonly HeldGroup[]>;
}

/**
 * Every group that is held, and what is above it. Those that are missing are told by the people who lack them; what
 * nobody belongs to yet is told here alone.
 */
export async function* groupSubjects({
  datasources,
  groups,
  tokens,
  choice: { part, seed, only },
  closed,
  held,
}: GroupReading): AsyncGenerator<SubjectBatch<ExpectedSubject>> {
  for await (const page of held()) {
    const open = page.filter(({ datasourceId }) => !closed.has(datasourceId));
    const subjects = open.map((group): ExpectedSubject => {
      const { datasourceId, groupId } = group;
      return {
        kind: "group",
        datasource: datasources.nameOfIncarnation(datasourceId) ?? datasourceId,
        incarnations: [datasourceId],
        held: group,
        expected: groups.knows(datasourceId, groupId) ? [...groups.tokensAbove(tokens, datasourceId, [groupId])] : null,
      };
    });
    const isChosen = (key: string): boolean => placeInSample(seed, key) < part && (only === null || only.has(key));
    yield { subjects: subjects.filter((subject) => isChosen(keyOf(subject))), done: 1 };
  }
}
