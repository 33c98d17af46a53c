import type { DatasourceId, DatasourceName, GroupId } from "../../../shared/ids.js";
import type { Edge, PermissionIntervals } from "../../../audit/ports/permissionHistory.js";
import { describeSpans, type Spans } from "./comparison.js";
import { aspects, membership, type HistorySubject } from "./historySubjects.js";

/** What is said of a subject: aspect by aspect, when. */
export type HistoryAnswer = ReadonlyMap<string, string>;

/** What a permission history answers about subjects as of one position. */
export class AskedFacts {
  private readonly incarnations: ReadonlyMap<DatasourceId, number>;

  constructor(private readonly facts: PermissionIntervals) {
    this.incarnations = new Map(facts.incarnations().map(({ datasourceId, number }) => [datasourceId, number]));
  }

  /** The names that it knows datasources by. */
  names(): readonly DatasourceName[] {
    return this.facts.incarnations().map(({ name }) => name);
  }

  /** What the history calls a registration; null where it knows of none. */
  incarnation(datasourceId: DatasourceId): number | null {
    return this.incarnations.get(datasourceId) ?? null;
  }

  /**
   * `named`: the aspects that the log gives this subject. The history knows groups by number; here aspects name them.
   */
  answer(subject: Exclude<HistorySubject, { readonly kind: "event" }>, named: Iterable<string>): HistoryAnswer {
    if (subject.kind === "datasource") return this.registrationsOf(subject.name);
    const incarnation = this.incarnation(subject.datasourceId);
    if (incarnation === null) return new Map();
    if (subject.kind === "document") return this.document(this.facts.document(incarnation, subject.documentId));
    if (subject.kind === "person")
      return this.person(this.facts.person(incarnation, subject.email), this.groupsIn(incarnation, named));
    return this.group(this.facts.group(incarnation, subject.groupId), this.groupsIn(incarnation, named));
  }

  private registrationsOf(name: DatasourceName): HistoryAnswer {
    return new Map(
      this.facts
        .incarnations(name)
        .map(({ datasourceId, opened, closed }) => [
          aspects.registrationOf(datasourceId),
          describeSpans([[opened, closed]]),
        ]),
    );
  }

  private document(document: number | null): HistoryAnswer {
    if (document === null) return new Map();
    const existences = this.facts.existences(document);
    const grants = inWordsBy(this.facts.grantsOf(document), (principal) => {
      const { kind, name } = this.facts.principalOf(principal);
      return aspects.grantTo(kind, name);
    });
    const byDefault = this.facts.byDefault(document);
    return new Map([
      ...(existences.length === 0 ? [] : [[aspects.existence, describeSpans(existences)] as const]),
      ...(byDefault.length === 0 ? [] : [[aspects.byDefault, describeSpans(byDefault)] as const]),
      ...grants,
    ]);
  }

  private person(
    person: ReturnType<PermissionIntervals["person"]>,
    groups: ReadonlyMap<number, string>,
  ): HistoryAnswer {
    if (person === null) return new Map();
    const memberships = inWordsBy(
      this.facts.groupsOf(person.number),
      (group) => groups.get(group) ?? this.unnamed(group),
    );
    return person.registrations.length === 0
      ? memberships
      : new Map([[aspects.registration, describeSpans(person.registrations)], ...memberships]);
  }

  private group(group: number | null, groups: ReadonlyMap<number, string>): HistoryAnswer {
    if (group === null) return new Map();
    const names = inWordsBy(this.facts.namesOf(group), (principal) =>
      aspects.name(this.facts.principalOf(principal).name),
    );
    return new Map([
      ...names,
      ...inWordsBy(this.facts.parentsOf(group), (parent) => groups.get(parent) ?? this.unnamed(parent)),
    ]);
  }

  /** Keyed by number. */
  private groupsIn(incarnation: number, named: Iterable<string>): ReadonlyMap<number, string> {
    const groups = new Map<number, string>();
    for (const aspect of named) {
      const group = aspect.startsWith(membership)
        ? this.facts.group(incarnation, aspect.slice(membership.length) as GroupId)
        : null;
      if (group !== null) groups.set(group, aspect);
    }
    return groups;
  }

  /** Describes a group of which the history has the subject as a member, though no event says so. */
  private unnamed(group: number): string {
    const principal = this.facts.namesOf(group).at(-1)?.[0];
    return `${membership}${principal === undefined ? "no name" : this.facts.principalOf(principal).name} (by no event)`;
  }
}

function inWordsBy(edges: readonly Edge[], nameOf: (other: number) => string): HistoryAnswer {
  const spans = new Map<string, (readonly [number, number])[]>();
  for (const [other, opened, closed] of edges) {
    const name = nameOf(other);
    const known = spans.get(name);
    if (known === undefined) spans.set(name, [[opened, closed]]);
    else known.push([opened, closed]);
  }
  const inOrder = (each: (readonly [number, number])[]): Spans => each.sort(([a], [b]) => a - b);
  return new Map(Array.from(spans, ([name, each]) => [name, describeSpans(inOrder(each))]));
}
