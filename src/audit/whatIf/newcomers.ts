import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";
import type { PermissionFacts, PrincipalKind } from "../permissionHistoryPorts.js";
import { firstNewcomer, type WhoMaySee } from "./whoMaySee.js";

const peopleAtOnce = 10_000;

/** A datasource's registration: its number, and what it is called. */
export interface GenerationOf {
  readonly number: number;
  readonly name: DatasourceName;
}

/** The numbers of the permission history, and of what it does not hold yet: negative, and given out once. */
export class Newcomers {
  private next = firstNewcomer;
  private readonly known = new Map<string, number>();
  private readonly texts = new Map<number, string>();
  private readonly kinds = new Map<number, PrincipalKind>();
  private readonly generations = new Map<DatasourceId, GenerationOf>();

  constructor(private readonly facts: PermissionFacts) {
    for (const { datasourceId, number, name } of facts.generations()) this.generations.set(datasourceId, { number, name });
  }

  /** Gives a new registration its number. */
  open(datasourceId: DatasourceId, name: DatasourceName): void {
    this.generations.set(datasourceId, { number: this.next--, name });
  }

  /** null for a registration that ended before the moment. */
  generation(datasourceId: DatasourceId): GenerationOf | null {
    return this.generations.get(datasourceId) ?? null;
  }

  principal({ number }: GenerationOf, kind: PrincipalKind, name: string): number {
    const principal = this.numberOf(`${kind} ${number} ${name}`, name, () => this.facts.principal(number, kind, name), number);
    if (principal <= firstNewcomer) this.kinds.set(principal, kind);
    return principal;
  }

  person(generation: GenerationOf, email: Email): number {
    return this.principal(generation, "user", email);
  }

  group({ number }: GenerationOf, groupId: GroupId): number {
    return this.numberOf(`id ${number} ${groupId}`, groupId, () => this.facts.group(number, groupId), number);
  }

  document({ number }: GenerationOf, documentId: DocumentId): number {
    return this.numberOf(`document ${number} ${documentId}`, documentId, () => this.facts.document(number, documentId), number);
  }

  /** Who may hold a principal, whether there or not. */
  holders(generation: GenerationOf, principal: number, side: WhoMaySee): Iterable<number> {
    const kind = principal <= firstNewcomer ? this.kinds.get(principal) : this.facts.principalOf(principal).kind;
    if (kind === "anonymous") return this.everybody(generation);
    return kind === "group" ? side.peopleIn(side.names.to(principal)) : [principal];
  }

  /** People who were ever registered; none for a registration that is new itself. */
  *everybody({ number }: GenerationOf): Generator<number> {
    if (number <= firstNewcomer) return;
    for (let after = ""; ; ) {
      const people = this.facts.people(number, after, peopleAtOnce);
      for (const person of people) yield person.number;
      const last = people.at(-1);
      if (last === undefined) return;
      after = last.email;
    }
  }

  /** What a principal is called. */
  nameOf(principal: number): string {
    return principal <= firstNewcomer ? (this.texts.get(principal) ?? "") : this.facts.principalOf(principal).name;
  }

  documentIdOf(document: number): string {
    return document <= firstNewcomer ? (this.texts.get(document) ?? "") : this.facts.documentIdOf(document);
  }

  /** Of a generation that is new itself nothing can be known. */
  private numberOf(key: string, text: string, find: () => number | null, generation: number): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = generation <= firstNewcomer ? null : find();
    const number = found ?? this.next--;
    this.known.set(key, number);
    if (found === null) this.texts.set(number, text);
    return number;
  }
}
