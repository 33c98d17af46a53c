import type { Sub } from "../../src/events/datasource.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { SubDeclaration } from "../commands.js";
import type { Rejection } from "../rejection.js";
import { deriveSubKey } from "./subKey.js";

/** A sub's place in the tree: at the top, or under a top-level sub. */
export interface SubPlace {
  readonly key: string;
  readonly parentKey: string | null;
}

/** A sub with its key, wherever the client put it: nested in its parent or beside it. */
export interface PlacedSub extends SubPlace {
  readonly name: string;
}

/** The tree with one more sub, at the end of its level. */
export function withSub(subs: readonly Sub[], { name, key, parentKey }: PlacedSub): readonly Sub[] {
  if (parentKey === null) return [...subs, { name, key, subs: [] }];
  return subs.map((parent) => (parent.key === parentKey ? { ...parent, subs: [...parent.subs, { name, key }] } : parent));
}

/** The tree without a sub; a top-level one goes with its children (spec: DELETE subs). */
export function withoutSub(subs: readonly Sub[], { key, parentKey }: SubPlace): readonly Sub[] {
  if (parentKey === null) return subs.filter((sub) => sub.key !== key);
  return subs.map((parent) => (parent.key === parentKey ? { ...parent, subs: parent.subs.filter((child) => child.key !== key) } : parent));
}

/** Where the sub stands that a client means by a key: at the top, else as the only child of that key. */
export function findSub(subs: readonly Sub[], key: string, parentKey: string | null): Result<SubPlace, Rejection> {
  if (parentKey === null && subs.some((sub) => sub.key === key)) return ok({ key, parentKey: null });
  const parents = subs.filter((sub) => (parentKey === null || sub.key === parentKey) && sub.subs.some((child) => child.key === key));
  const [only, ...others] = parents.map((parent) => parent.key);
  if (only === undefined) return failed({ type: "SubNotFound", key, parentKey });
  if (others.length > 0) return failed({ type: "SubAmbiguous", key, parentKeys: [only, ...others] });
  return ok({ key, parentKey: only });
}

/** Checks declarations against the tree that is there, and answers with the subs to add: parents before their children. */
export function declareSubs(present: readonly Sub[], declarations: readonly SubDeclaration[]): Result<readonly PlacedSub[], Rejection> {
  const placed: PlacedSub[] = [];
  for (const declaration of declarations) {
    const problem = place(declaration, declaration.parentKey, placed);
    if (problem !== null) return failed(problem);
  }
  const topFirst = [...placed.filter(({ parentKey }) => parentKey === null), ...placed.filter(({ parentKey }) => parentKey !== null)];
  const problem = findMisplaced(present, topFirst);
  return problem === null ? ok(topFirst) : failed(problem);
}

/** Adds a declaration and those nested in it to `placed`, each with its key. */
function place(declaration: SubDeclaration, parentKey: string | null, placed: PlacedSub[]): Rejection | null {
  const { name, subs } = declaration;
  const key = declaration.key ?? deriveSubKey(name);
  if (key === null) return { type: "SubKeyUnderivable", name };
  if (subs.length > 0 && parentKey !== null) return { type: "SubTooDeep", parentKey: key };
  placed.push({ name, key, parentKey });
  for (const child of subs) {
    if (child.parentKey !== null && child.parentKey !== key) return { type: "SubParentNotFound", parentKey: child.parentKey };
    const problem = place(child, key, placed);
    if (problem !== null) return problem;
  }
  return null;
}

function findMisplaced(present: readonly Sub[], added: readonly PlacedSub[]): Rejection | null {
  const children = new Map(present.map((sub) => [sub.key, new Set(sub.subs.map((child) => child.key))]));
  const childKeys = new Set([...present.flatMap(({ subs }) => subs), ...added.filter(({ parentKey }) => parentKey !== null)].map(({ key }) => key));
  for (const { key, parentKey } of added) {
    const siblings = parentKey === null ? children : children.get(parentKey);
    if (siblings === undefined) return missingParent(parentKey ?? "", childKeys);
    if (siblings.has(key)) return { type: "SubExists", key, parentKey };
    if (siblings instanceof Map) siblings.set(key, new Set());
    else siblings.add(key);
  }
  return null;
}

/** Only top-level subs can be parents: a child named as one would make a third level. */
const missingParent = (parentKey: string, childKeys: ReadonlySet<string>): Rejection =>
  childKeys.has(parentKey) ? { type: "SubTooDeep", parentKey } : { type: "SubParentNotFound", parentKey };
