import fc from "fast-check";

export const datasourceSlots = ["a", "b"] as const;
export const people = ["ada", "ben", "cleo", "dan"] as const;
export const groupNames = ["g1", "g2", "g3", "g4", "g5"] as const;
export const documentIds = ["d1", "d2", "d3"] as const;

/** Stands for a datasource name that is new in every run. */
export type DatasourceSlot = (typeof datasourceSlots)[number];
/** Stands for an email of this test's own. */
export type Person = (typeof people)[number];
export type GroupName = (typeof groupNames)[number];

export type Member = { readonly person: Person } | { readonly group: GroupName };

/** A permissions block; what is absent is left out of the block. */
export interface Access {
  readonly everyone?: boolean;
  readonly people?: readonly Person[];
  readonly groups?: readonly GroupName[];
}

export interface DocumentPush {
  readonly datasource: DatasourceSlot;
  readonly id: string;
  readonly title: string;
  /** A day of January; null: no `last_modified`. */
  readonly modified: number | null;
  /** null: no permissions block. */
  readonly access: Access | null;
}

/** What a client can ask the service to change. Plain data, so that a counterexample reads as a story. */
export type Action =
  | { readonly type: "registerDatasource" | "deleteDatasource"; readonly datasource: DatasourceSlot }
  | {
      readonly type: "registerUser" | "renameUser" | "deleteUser";
      readonly datasource: DatasourceSlot;
      readonly person: Person;
      readonly spelling: number;
    }
  | { readonly type: "createGroup" | "deleteGroup"; readonly datasource: DatasourceSlot; readonly group: GroupName }
  | {
      readonly type: "renameGroup";
      readonly datasource: DatasourceSlot;
      readonly group: GroupName;
      readonly newName: GroupName;
    }
  | {
      readonly type: "addMember" | "removeMember";
      readonly datasource: DatasourceSlot;
      readonly group: GroupName;
      readonly member: Member;
      readonly spelling: number;
    }
  | {
      readonly type: "replaceMembers";
      readonly datasource: DatasourceSlot;
      readonly group: GroupName;
      readonly members: readonly Person[];
      readonly spelling: number;
    }
  | { readonly type: "index"; readonly datasource: DatasourceSlot; readonly document: DocumentPush }
  | { readonly type: "indexMany"; readonly documents: readonly DocumentPush[] }
  | { readonly type: "deleteDocument"; readonly datasource: DatasourceSlot; readonly id: string };

/** What a client can ask the service to tell. */
export type Look =
  | { readonly type: "search"; readonly person: Person; readonly only: DatasourceSlot | null }
  | {
      readonly type: "checkAccess";
      readonly datasource: DatasourceSlot;
      readonly id: string;
      readonly person: Person;
      readonly spelling: number;
    }
  | { readonly type: "metadata"; readonly datasource: DatasourceSlot; readonly id: string; readonly person: Person };

export type Step = Action | Look;

/** An email as people write it: as it is, in capitals, with blanks around. */
export function spell(email: string, spelling: number): string {
  return [email, email.toUpperCase(), `  ${email} `][spelling] ?? email;
}

const datasource = fc.constantFrom(...datasourceSlots.slice(0, 1), ...datasourceSlots);
const person = fc.constantFrom(...people);
const group = fc.constantFrom(...groupNames);
const id = fc.constantFrom(...documentIds);
const spelling = fc.nat(2);
const member: fc.Arbitrary<Member> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ group }) },
  { weight: 1, arbitrary: fc.record({ person }) },
);

const access: fc.Arbitrary<Access | null> = fc.option(
  fc.record(
    { everyone: fc.boolean(), people: fc.array(person, { maxLength: 2 }), groups: fc.array(group, { maxLength: 2 }) },
    { requiredKeys: [] },
  ),
  { freq: 5 },
);

const document: fc.Arbitrary<DocumentPush> = fc.record({
  datasource,
  id,
  title: fc.nat(99).map((version) => `quarterly v${version}`),
  modified: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
  access,
});

const only = <Type extends Step["type"]>(...types: Type[]): { type: fc.Arbitrary<Type> } => ({
  type: fc.constantFrom(...types),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ ...only("registerDatasource", "deleteDatasource"), datasource }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...only("registerUser", "registerUser", "renameUser", "deleteUser"),
      datasource,
      person,
      spelling,
    }),
  },
  { weight: 3, arbitrary: fc.record({ ...only("createGroup", "createGroup", "deleteGroup"), datasource, group }) },
  { weight: 2, arbitrary: fc.record({ ...only("renameGroup"), datasource, group, newName: group }) },
  {
    weight: 7,
    arbitrary: fc.record({ ...only("addMember", "addMember", "removeMember"), datasource, group, member, spelling }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...only("replaceMembers"),
      ...{ datasource, group, members: fc.array(person, { maxLength: 3 }), spelling },
    }),
  },
  {
    weight: 4,
    arbitrary: document.map((pushed) => ({ type: "index" as const, datasource: pushed.datasource, document: pushed })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...only("indexMany"), documents: fc.array(document, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ ...only("deleteDocument"), datasource, id }) },
  { weight: 2, arbitrary: fc.record({ ...only("search"), person, only: fc.option(datasource) }) },
  { weight: 1, arbitrary: fc.record({ ...only("checkAccess"), datasource, id, person, spelling }) },
  { weight: 1, arbitrary: fc.record({ ...only("metadata"), datasource, id, person }) },
);

/**
 * A story over a populated datasource: people, groups in a chain and a document come first, all of which shrinking can
 * take away, so that most stories are about permissions and not about things that do not exist.
 */
export const story: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.subarray(populated(), { minLength: 0 }), fc.array(step, { minLength: 3, maxLength: 12 }))
  .map(([first, then]) => [{ type: "registerDatasource" as const, datasource: "a" as const }, ...first, ...then]);

function populated(): Step[] {
  const on = { datasource: "a" as const, spelling: 0 };
  const push = (pushed: Pick<DocumentPush, "id" | "access">): Step => ({
    type: "index",
    datasource: "a",
    document: { datasource: "a", title: "quarterly first", modified: 1, ...pushed },
  });
  return [
    ...people.slice(0, 3).map((who): Step => ({ type: "registerUser", person: who, ...on })),
    ...groupNames.slice(0, 3).map((name): Step => ({ type: "createGroup", group: name, datasource: "a" })),
    { type: "addMember", group: "g1", member: { group: "g2" }, ...on },
    { type: "addMember", group: "g2", member: { group: "g3" }, ...on },
    { type: "addMember", group: "g3", member: { person: "ada" }, ...on },
    { type: "addMember", group: "g2", member: { person: "ben" }, ...on },
    push({ id: "d1", access: { groups: ["g1"] } }),
    push({ id: "d2", access: { people: ["cleo"], groups: ["g3"] } }),
  ];
}
