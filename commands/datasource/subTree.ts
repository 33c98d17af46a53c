import type { ChildSub, Sub, SubAdded } from "../../src/events/datasource.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { Rejection, SubPath } from "../rejection.js";

/** A sub as the client declared it; `key` is derived from `name` where it is left out. */
export interface SubDeclaration {
  readonly name: string;
  readonly key: string | null;
  readonly parentKey: string | null;
  readonly subs: readonly SubDeclaration[];
}

/** A sub's place in the tree: at the top, or under a top-level sub. */
export interface SubPlace {
  readonly key: string;
  readonly parentKey: string | null;
}

/** A sub with its key, wherever the client put it: nested in its parent or beside it. */
interface PlacedSub extends SubPlace {
  readonly name: string;
}

/** The tree with one more sub, at the end of its level, and with those nested in it. */
export function withSub(
  subs: readonly Sub[],
  { name, key, parentKey, subs: children }: SubAdded["data"],
): readonly Sub[] {
  if (parentKey === null) return [...subs, { name, key, subs: children }];
  return subs.map((parent) =>
    parent.key === parentKey ? { ...parent, subs: [...parent.subs, { name, key }] } : parent,
  );
}

/**
 * The tree of these subs, parents before their children. It takes time in proportion to them, however many they are.
 */
function treeOf(placed: readonly PlacedSub[]): readonly Sub[] {
  const children = new Map<string, ChildSub[]>();
  const tree: Sub[] = [];
  for (const { name, key, parentKey } of placed) {
    if (parentKey !== null) {
      children.get(parentKey)?.push({ name, key });
      continue;
    }
    const subs: ChildSub[] = [];
    children.set(key, subs);
    tree.push({ name, key, subs });
  }
  return tree;
}

/** The tree without a sub; a top-level one goes with its children (spec: DELETE subs). */
export function withoutSub(subs: readonly Sub[], { key, parentKey }: SubPlace): readonly Sub[] {
  if (parentKey === null) return subs.filter((sub) => sub.key !== key);
  return subs.map((parent) =>
    parent.key === parentKey ? { ...parent, subs: parent.subs.filter((child) => child.key !== key) } : parent,
  );
}

/** Where the sub stands that a client means by a key: at the top, else as the only child of that key. */
export function findSub(subs: readonly Sub[], key: string, parentKey: string | null): Result<SubPlace, Rejection> {
  if (parentKey === null && subs.some((sub) => sub.key === key)) return ok({ key, parentKey: null });
  const parents = subs.filter(
    (sub) => (parentKey === null || sub.key === parentKey) && sub.subs.some((child) => child.key === key),
  );
  const [only, ...others] = parents.map((parent) => parent.key);
  if (only === undefined) return failed({ type: "SubNotFound", key, parentKey });
  if (others.length > 0) return failed({ type: "SubAmbiguous", key, parentKeys: [only, ...others] });
  return ok({ key, parentKey: only });
}

/** A declaration with its index in `subs`, from the outside in; none: it is what the request is about. */
interface DeclarationAt {
  readonly declaration: SubDeclaration;
  readonly at: SubPath;
}

interface DeclaredSub extends PlacedSub {
  readonly at: SubPath;
}

/**
 * Checks a list of declarations against the tree that is there, and answers with the subs to add: parents before their
 * children.
 */
const declareSubs = (
  present: readonly Sub[],
  declarations: readonly SubDeclaration[],
): Result<readonly PlacedSub[], Rejection> =>
  declareAll(
    present,
    declarations.map((declaration, index) => ({ declaration, at: [index] })),
  );

/** The tree that these declarations make where there is none yet. */
export function declareTree(declarations: readonly SubDeclaration[]): Result<readonly Sub[], Rejection> {
  const declared = declareSubs([], declarations);
  return declared.ok ? ok(treeOf(declared.value)) : declared;
}

/** Does what {@link declareSubs} does, for one declaration with those nested in it. */
export const declareSub = (
  present: readonly Sub[],
  declaration: SubDeclaration,
): Result<readonly PlacedSub[], Rejection> => declareAll(present, [{ declaration, at: [] }]);

/** Whether declarations come to exactly these subs, in whatever order, with the same names. */
export function areSubs(present: readonly Sub[], declarations: readonly SubDeclaration[]): boolean {
  const declared = declareSubs([], declarations);
  if (!declared.ok) return false;
  const lines = (subs: readonly PlacedSub[]): string =>
    JSON.stringify(subs.map(({ name, key, parentKey }) => [parentKey, key, name].join("\n")).sort());
  const placed = present.flatMap(({ name, key, subs }): PlacedSub[] => [
    { name, key, parentKey: null },
    ...subs.map((child) => ({ ...child, parentKey: key })),
  ]);
  return lines(placed) === lines(declared.value);
}

function declareAll(
  present: readonly Sub[],
  declarations: readonly DeclarationAt[],
): Result<readonly PlacedSub[], Rejection> {
  const declared: DeclaredSub[] = [];
  for (const one of declarations) {
    const problem = place(one, one.declaration.parentKey, declared);
    if (problem !== null) return failed(problem);
  }
  const topFirst = [
    ...declared.filter(({ parentKey }) => parentKey === null),
    ...declared.filter(({ parentKey }) => parentKey !== null),
  ];
  const problem = findMisplaced(present, topFirst);
  return problem === null
    ? ok(topFirst.map(({ name, key, parentKey }) => ({ name, key, parentKey })))
    : failed(problem);
}

/** Adds a declaration and those nested in it to `declared`, each with its key. */
function place(
  { declaration, at }: DeclarationAt,
  parentKey: string | null,
  declared: DeclaredSub[],
): Rejection | null {
  const { name, subs } = declaration;
  const key = declaration.key ?? deriveSubKey(name);
  if (key === null) return { type: "SubKeyUnderivable", name, at };
  if (subs.length > 0 && parentKey !== null) return { type: "SubTooDeep", parentKey: key, at, field: "subs" };
  declared.push({ name, key, parentKey, at });
  for (const [index, child] of subs.entries()) {
    if (child.parentKey !== null && child.parentKey !== key)
      return { type: "SubParentContradicted", parentKey: child.parentKey, nestedIn: key, at: [...at, index] };
    const problem = place({ declaration: child, at: [...at, index] }, key, declared);
    if (problem !== null) return problem;
  }
  return null;
}

function findMisplaced(present: readonly Sub[], added: readonly DeclaredSub[]): Rejection | null {
  const children = new Map(present.map((sub) => [sub.key, new Set(sub.subs.map((child) => child.key))]));
  const childKeys = new Set(
    [...present.flatMap(({ subs }) => subs), ...added.filter(({ parentKey }) => parentKey !== null)].map(
      ({ key }) => key,
    ),
  );
  for (const { key, parentKey, at } of added) {
    const siblings = parentKey === null ? children : children.get(parentKey);
    // Only top-level subs can be parents: a child named as one would make a third level.
    if (siblings === undefined)
      return parentKey !== null && parentKey !== key && childKeys.has(parentKey)
        ? { type: "SubTooDeep", parentKey, at, field: "parent_key" }
        : { type: "SubParentNotFound", parentKey: parentKey ?? "" };
    if (siblings.has(key)) return { type: "SubExists", key, parentKey };
    if (siblings instanceof Map) siblings.set(key, new Set());
    else siblings.add(key);
  }
  return null;
}

/** Letters that do not come apart into a base letter and an accent. */
const transliterations: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  å: "a",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
};

const maxLength = 64;

/**
 * Derives a sub's key from its name: `Straße & Platz` becomes `strasse_platz`. In a slug every word begins with a
 * letter, so a number joins the word before it: `Phase 2` becomes `phase2`. null where no slug can be made: nothing is
 * left, it would begin with a digit, or it would be too long; then the client has to choose (spec: Sub definition,
 * Naming rules).
 */
export function deriveSubKey(name: string): string | null {
  const key = transliterate(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .reduce((joined, word) => (joined === "" || /^\d/.test(word) ? joined + word : `${joined}_${word}`), "");
  return /^[a-z]/.test(key) && key.length <= maxLength ? key : null;
}

function transliterate(text: string): string {
  const letters = Array.from(text.normalize("NFC").toLowerCase(), (letter) => transliterations[letter] ?? letter);
  return letters.join("").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
