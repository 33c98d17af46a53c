import type { DocumentIndexed } from "../../events/document.js";
import type { DomainEvent } from "../../events/domainEvent.js";
import type { UserEvent } from "../../events/user.js";
import { toEmail, type DatasourceId, type Email, type GroupId } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { DatasourceHistory } from "./datasourceHistory.js";
import type { GroupHistory } from "./groupHistory.js";
import { readLog, type LogStretch } from "./readLog.js";
import { Held, inShares, type SubjectBatch } from "./share.js";
import type { ExpectedHolding, Subject, SubjectChoice } from "./subjects.js";

export interface PersonReading {
  readonly stretch: Omit<LogStretch, "categories">;
  readonly datasources: DatasourceHistory;
  readonly groups: GroupHistory;
  readonly tokens: PrincipalTokens;
  readonly choice: SubjectChoice;
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

/** Everyone whom the log ever named, in a registration or on an access list. */
export const personSubjects = (reading: PersonReading): AsyncGenerator<SubjectBatch<Subject>> =>
  inShares(
    reading.choice.part,
    (from) => gatherPeople(reading, from),
    (people) => holdingsOf(reading, people.values),
  );

const weightOf = (person: Person): number => [...person.values()].reduce((sum, { groups }) => sum + 1 + groups.size, 1);

async function gatherPeople(
  { stretch, datasources, choice, maxHeld }: PersonReading,
  from: number,
): Promise<Held<Person>> {
  const people = new Held<Person>(choice.seed, from, choice.part, maxHeld, weightOf);
  for await (const events of readLog({ ...stretch, categories: ["user", "document"] })) {
    for (const { event } of events) {
      for (const email of emailsIn(event).filter(
        (named) => (choice.only === null || choice.only.has(named)) && people.covers(named),
      )) {
        const known = people.values.get(email);
        const person: Person = known ?? new Map();
        people.values.set(email, person);
        const grown = isUserEvent(event) && datasources.isLive(event.data.datasourceId) ? follow(person, event) : 0;
        people.add((known === undefined ? 1 : 0) + grown);
      }
    }
  }
  return people;
}

function emailsIn(event: DomainEvent): readonly Email[] {
  if (event.type === "DocumentIndexed") return (event as DocumentIndexed).data.access.users;
  if (!isUserEvent(event)) return [];
  return "email" in event.data
    ? [event.data.email]
    : event.data.member.kind === "user"
      ? [event.data.member.email]
      : [];
}

function isUserEvent(event: DomainEvent): event is UserEvent {
  return (
    event.type === "UserRegistered" ||
    event.type === "UserRenamed" ||
    event.type === "MembershipAdded" ||
    event.type === "MembershipRemoved"
  );
}

/** Answers with what has come to be held. */
function follow(person: Person, event: UserEvent): number {
  const { datasourceId } = event.data;
  const known = person.get(datasourceId);
  const registration = known ?? { registered: false, groups: new Set() };
  const before = registration.groups.size;
  person.set(datasourceId, registration);
  if (event.type === "UserRegistered") registration.registered = true;
  else if (event.type === "MembershipAdded") registration.groups.add(event.data.groupId);
  else if (event.type === "MembershipRemoved") registration.groups.delete(event.data.groupId);
  return (known === undefined ? 1 : 0) + registration.groups.size - before;
}

async function* holdingsOf(
  { datasources, groups, tokens }: PersonReading,
  people: ReadonlyMap<string, Person>,
): AsyncGenerator<readonly Subject[]> {
  const live = datasources.list();
  const incarnations = live.map(({ datasourceId }) => datasourceId);
  let subjects: Subject[] = [];
  for (const [key, person] of people) {
    const email = toEmail(key);
    const expected = live.flatMap(({ datasourceId }): readonly ExpectedHolding[] => {
      const registration = person.get(datasourceId);
      if (registration === undefined || !registration.registered) return [];
      const above = Array.from(groups.namesAbove(datasourceId, registration.groups), (group) =>
        tokens.group(datasourceId, group),
      );
      return [{ datasourceId, tokens: [tokens.anonymous(datasourceId), tokens.user(datasourceId, email), ...above] }];
    });
    subjects.push({ kind: "person", email, incarnations, expected });
    if (subjects.length < subjectsPerBatch) continue;
    yield subjects;
    subjects = [];
  }
  yield subjects;
}
