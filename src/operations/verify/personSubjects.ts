import { match, P } from "ts-pattern";
import type { PersonOfDatasource } from "../../../queries/ports.js";
import { permissionFactsOf, type FactAbout, type PermissionFact } from "../../audit/timeline/permissionFact.js";
import { toStoredEmail, type DatasourceId, type Email, type GroupId } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { FoldedDatasources } from "./foldedDatasources.js";
import type { FoldedGroups } from "./foldedGroups.js";
import { unnamedIn, type ExpectedHolding, type ExpectedSubject, type SubjectChoice } from "./expectedSubjects.js";
import { readLog, type LogStretch } from "./readLog.js";
import { LogShare, inShares, type SubjectBatch } from "./sampling.js";

interface PersonReading {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly datasources: FoldedDatasources;
  readonly groups: FoldedGroups;
  readonly tokens: PrincipalTokens;
  readonly choice: SubjectChoice;
  /** The people that the read models hold as registered, named by the log or not. */
  held(): AsyncIterable<readonly PersonOfDatasource[]>;
  /** How many people and memberships one reading of the log may hold. */
  readonly maxHeld: number;
}

interface Registration {
  registered: boolean;
  readonly groups: Set<GroupId>;
}

/** On live datasources. */
type Person = Map<DatasourceId, Registration>;

const subjectsPerBatch = 500;

/** Everyone that the log ever named, in a registration or on an access list. */
export const personSubjects = (reading: PersonReading): AsyncGenerator<SubjectBatch<ExpectedSubject>> =>
  inShares(
    reading.choice.part,
    (from) => gatherPeople(reading, from),
    (people) => holdingsOf(reading, people),
  );

const weightOf = (person: Person): number => [...person.values()].reduce((sum, { groups }) => sum + 1 + groups.size, 1);

async function gatherPeople(
  { stretch, datasources, choice, maxHeld }: PersonReading,
  from: number,
): Promise<LogShare<Person>> {
  const people = new LogShare<Person>(choice.seed, from, choice.part, maxHeld, weightOf);
  for await (const events of readLog({ ...stretch, categories: ["user", "groupMembers", "document"] })) {
    for (const fact of events.flatMap(({ event }) => permissionFactsOf(event))) {
      for (const email of emailsIn(fact).filter(
        (named) => (choice.only === null || choice.only.has(named)) && people.covers(named),
      )) {
        const known = people.values.get(email);
        const person: Person = known ?? new Map();
        people.values.set(email, person);
        const grown = fact.about === "person" && datasources.isLive(fact.datasourceId) ? follow(person, fact) : 0;
        people.add((known === undefined ? 1 : 0) + grown);
      }
    }
  }
  return people;
}

/** The people that a fact names. */
const emailsIn = (fact: PermissionFact): readonly Email[] =>
  match(fact)
    .returnType<readonly Email[]>()
    .with({ about: "person" }, ({ email }) => [email])
    .with({ about: "document", kind: "indexed" }, ({ access }) => access.users)
    .with({ about: "document", kind: "deleted" }, { about: P.union("incarnation", "group") }, () => [])
    .exhaustive();

/** Returns how much more is held than before. */
function follow(person: Person, fact: FactAbout<"person">): number {
  const known = person.get(fact.datasourceId);
  const registration = known ?? { registered: false, groups: new Set() };
  const before = registration.groups.size;
  person.set(fact.datasourceId, registration);
  match(fact)
    .with({ kind: "registered" }, () => {
      registration.registered = true;
    })
    .with({ kind: "deleted" }, () => {
      registration.registered = false;
      registration.groups.clear();
    })
    .with({ kind: "joined" }, ({ groupId }) => {
      if (registration.registered) registration.groups.add(groupId);
    })
    .with({ kind: "left" }, ({ groupId }) => void registration.groups.delete(groupId))
    .with({ kind: "renamed" }, () => undefined)
    .exhaustive();
  return (known === undefined ? 1 : 0) + registration.groups.size - before;
}

async function* holdingsOf(
  { datasources, groups, tokens, choice, held }: PersonReading,
  people: LogShare<Person>,
): AsyncGenerator<readonly ExpectedSubject[]> {
  const live = datasources.list();
  // Somebody may be held to be registered on a datasource that the log does not name: repairs have to take that in.
  const known = new Set(live.map(({ datasourceId }) => datasourceId));
  const isUnnamed = unnamedIn(people, choice);
  for await (const registered of held()) {
    for (const { datasourceId } of registered) known.add(datasourceId);
    const unnamed = new Set(registered.map(({ email }) => email).filter(isUnnamed));
    yield Array.from(unnamed, (email) => ({ kind: "person", email, incarnations: [...known], expected: [] }));
  }
  const incarnations = [...known];
  let subjects: ExpectedSubject[] = [];
  for (const [key, person] of people.values) {
    const email = toStoredEmail(key);
    const expected = live.flatMap(({ datasourceId }): readonly ExpectedHolding[] => {
      const registration = person.get(datasourceId);
      if (registration === undefined || !registration.registered) return [];
      const above = groups.tokensAbove(tokens, datasourceId, registration.groups);
      return [{ datasourceId, tokens: [tokens.anonymous(datasourceId), tokens.user(datasourceId, email), ...above] }];
    });
    subjects.push({ kind: "person", email, incarnations, expected });
    if (subjects.length < subjectsPerBatch) continue;
    yield subjects;
    subjects = [];
  }
  yield subjects;
}
