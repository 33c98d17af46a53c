import type { HeldGroup } from "../../../queries/ports.js";
import type { DatasourceId } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import { keyOf, type ExpectedSubject, type SubjectChoice } from "./expectedSubjects.js";
import type { FoldedDatasources } from "./foldedDatasources.js";
import type { FoldedGroups } from "./foldedGroups.js";
import { placeInSample, type SubjectBatch } from "./sampling.js";

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
