import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";
import type { PermissionIntervals, PrincipalKind } from "../ports/permissionHistory.js";
import { firstHypotheticalEntity, type WhoMaySee } from "./whoMaySee.js";

const peopleAtOnce = 10_000;

/** The number of an incarnation, and what it is called. */
export interface NumberedIncarnation {
  readonly number: number;
  readonly name: DatasourceName;
}

/** The numbers of the permission history, and negative ones for what it does not hold yet: each is given out once. */
export class HypotheticalEntities {
  private next = firstHypotheticalEntity;
  private readonly known = new Map<string, number>();
  private readonly texts = new Map<number, string>();
  private readonly kinds = new Map<number, PrincipalKind>();
  private readonly incarnations = new Map<DatasourceId, NumberedIncarnation>();

  constructor(private readonly facts: PermissionIntervals) {
    for (const { datasourceId, number, name } of facts.incarnations())
      this.incarnations.set(datasourceId, { number, name });
  }

  /** Gives a new incarnation its number. */
  open(datasourceId: DatasourceId, name: DatasourceName): void {
    this.incarnations.set(datasourceId, { number: this.next--, name });
  }

  /** null for an incarnation that ended before the moment. */
  incarnation(datasourceId: DatasourceId): NumberedIncarnation | null {
    return this.incarnations.get(datasourceId) ?? null;
  }

  principal({ number }: NumberedIncarnation, kind: PrincipalKind, name: string): number {
    const principal = this.numberOf(
      `${kind} ${number} ${name}`,
      name,
      () => this.facts.principal(number, kind, name),
      number,
    );
    if (principal <= firstHypotheticalEntity) this.kinds.set(principal, kind);
    return principal;
  }

  person(incarnation: NumberedIncarnation, email: Email): number {
    return this.principal(incarnation, "user", email);
  }

  group({ number }: NumberedIncarnation, groupId: GroupId): number {
    return this.numberOf(`id ${number} ${groupId}`, groupId, () => this.facts.group(number, groupId), number);
  }

  document({ number }: NumberedIncarnation, documentId: DocumentId): number {
    return this.numberOf(
      `document ${number} ${documentId}`,
      documentId,
      () => this.facts.document(number, documentId),
      number,
    );
  }

  /** Who may hold a principal, registered or not. */
  holders(incarnation: NumberedIncarnation, principal: number, side: WhoMaySee): Iterable<number> {
    const kind =
      principal <= firstHypotheticalEntity ? this.kinds.get(principal) : this.facts.principalOf(principal).kind;
    if (kind === "anonymous") return this.everybody(incarnation);
    return kind === "group" ? side.peopleIn(side.names.to(principal)) : [principal];
  }

  /** People who were ever registered; none for an incarnation that is new itself. */
  *everybody({ number }: NumberedIncarnation): Generator<number> {
    if (number <= firstHypotheticalEntity) return;
    for (let after = ""; ;) {
      const people = this.facts.people(number, after, peopleAtOnce);
      for (const person of people) yield person.number;
      const last = people.at(-1);
      if (last === undefined) return;
      after = last.email;
    }
  }

  /** What a principal is called. */
  nameOf(principal: number): string {
    return principal <= firstHypotheticalEntity
      ? (this.texts.get(principal) ?? "")
      : this.facts.principalOf(principal).name;
  }

  documentIdOf(document: number): string {
    return document <= firstHypotheticalEntity ? (this.texts.get(document) ?? "") : this.facts.documentIdOf(document);
  }

  /** Nothing can be known of an incarnation that is hypothetical itself. */
  private numberOf(key: string, text: string, find: () => number | null, incarnation: number): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = incarnation <= firstHypotheticalEntity ? null : find();
    const number = found ?? this.next--;
    this.known.set(key, number);
    if (found === null) this.texts.set(number, text);
    return number;
  }
}
