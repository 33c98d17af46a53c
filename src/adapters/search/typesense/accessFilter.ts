import { LRUCache } from "lru-cache";
import {
  type FacetField,
  everything,
  type HeldTokens,
  type SearchFilters,
  withoutOwnFilter,
} from "../../../readModels/search.js";
import { inGroups } from "../../../shared/entriesAtMost.js";
import { conditionShares, datasourceKey } from "./encoding.js";
import type { AccessClass, NamedPrincipal, Directory } from "./directory.js";
import type { DatasourceState } from "./schema.js";

/** For how many people filters are remembered. */
const rememberedPeople = 1_000;
/** The engine looks up two principals, which are numbers, while it looks up a class, which is a text. */
const principalsPerClass = 2;
/**
 * How many numbers a condition has at least. The engine joins what it finds for each with what it has found before, so
 * that many conditions of few numbers take less than one of all.
 */
const fewestNumbers = 100;

/** Access, told by the class of a document rather than by a filter. */
interface AccessByClass {
  /** How many values the filter has that tells the same. */
  readonly values: number;
  /** What the filter asks for beside access; empty: nothing. */
  readonly narrowing: string;
  /** Whether documents of the class with this number are open. */
  opens(accessClass: string): boolean;
}

/** Documents among which is counted. */
export interface OpenDocuments {
  /** The filter that they pass; null: all documents do. */
  readonly filter: string | null;
  /** null: their classes do not tell them. */
  readonly byClass: AccessByClass | null;
}

/** The documents among which words are weighed. */
export interface Population extends OpenDocuments {
  /** Equal keys mean equal documents, but for what is written meanwhile. */
  readonly key: string;
  /** Whether there are none, for sure. */
  readonly isEmpty: boolean;
}

/** Which documents one search may show. */
export interface Visibility {
  /** All that is open to the person, however the question narrows it. */
  readonly population: Population;
  /** null: no document at all. */
  readonly filter: string | null;
  /** The same by class; null: it is not told by classes. */
  readonly byClass: AccessByClass | null;
  /** The filter under which documents are counted by this field; null: no document at all. */
  countedBy(field: FacetField): string | null;
  /** The stamp of what was known of datasources and classes when it was made: see `Directory`. */
  readonly stamp: string | null;
  /** For a document that was read by its id: whether it, being of this class and datasource, may be shown. */
  shows(accessClass: string, datasource: string, id: string): boolean;
}

interface Holder {
  readonly epoch: number;
  readonly principals: readonly NamedPrincipal[];
  /** The classes that share a token with the person, by number. */
  readonly classes: ReadonlyMap<string, AccessClass>;
  /** What opens all datasources that are served. */
  everywhere: Access | undefined;
}

/** What opens documents, before anything else narrows them. */
interface Access {
  /** null: nothing does. */
  readonly filter: string | null;
  readonly values: number;
}

/**
 * Makes filters from what people hold: from the principals that documents name, or from the access classes that they
 * open, whichever list is shorter. Principals and classes belong to one incarnation each. So documents of datasources
 * that are not served, or not asked for, are left out by leaving out their principals and classes.
 */
export class AccessFilters {
  private readonly holders = new LRUCache<string, Holder>({ max: rememberedPeople });

  constructor(private readonly directory: Directory) {}

  of(held: HeldTokens, filters: SearchFilters): Visibility {
    const holder = this.holderOf(held);
    const { directory } = this;
    const open = this.openWithin(holder, everything);
    return {
      population: { key: `${held.key} ${directory.epoch}`, isEmpty: open.filter === null, ...open },
      stamp: directory.stamp,
      ...this.openWithin(holder, filters),
      countedBy: (field) => this.openWithin(holder, withoutOwnFilter(field, filters)).filter,
      shows: (accessClass, datasource) =>
        holder.classes.has(accessClass) && directory.datasources.get(datasource)?.status === "served",
    };
  }

  private openWithin(holder: Holder, filters: SearchFilters): OpenDocuments {
    const served = servedWithin(this.directory, filters.datasources);
    const { filter, values } = this.accessIn(holder, served, filters.datasources === null);
    const narrowedBy = narrowing(filters, served);
    return {
      filter: filter === null ? null : [filter, ...narrowedBy].join(" && "),
      byClass: {
        values,
        narrowing: narrowedBy.join(" && "),
        opens: (accessClass) => served.has(holder.classes.get(accessClass)?.ds ?? ""),
      },
    };
  }

  private holderOf({ key, tokens }: HeldTokens): Holder {
    const known = this.holders.get(key);
    if (known !== undefined && known.epoch === this.directory.epoch) return known;
    const principals = tokens.flatMap((token) => this.directory.principals.get(token) ?? []);
    const classes = new Map<string, AccessClass>();
    for (const principal of principals) for (const opened of principal.classes) classes.set(opened.number, opened);
    const holder: Holder = { epoch: this.directory.epoch, principals, classes, everywhere: undefined };
    this.holders.set(key, holder);
    return holder;
  }

  private accessIn(holder: Holder, served: ReadonlyMap<string, DatasourceState>, isEverywhere: boolean): Access {
    if (isEverywhere && holder.everywhere !== undefined) return holder.everywhere;
    const principals = holder.principals.filter(({ ds }) => served.has(ds)).flatMap(({ numbers }) => numbers);
    const classes = [...holder.classes.values()].filter(({ ds }) => served.has(ds)).map(({ number }) => number);
    const access = accessBy(classes, principals);
    if (isEverywhere) holder.everywhere = access;
    return access;
  }
}

function accessBy(classes: readonly string[], principals: readonly number[]): Access {
  if (classes.length === 0 || principals.length === 0) return { filter: null, values: 0 };
  return classes.length * principalsPerClass <= principals.length
    ? { filter: `cls:[${classes.join(",")}]`, values: classes.length }
    : { filter: namingAny(principals), values: principals.length };
}

/** Passed by documents that name any of these principals. */
function namingAny(principals: readonly number[]): string {
  const size = Math.max(fewestNumbers, Math.ceil(principals.length / conditionShares.principals));
  const conditions = inGroups(principals, size).map((numbers) => `acl:[${numbers.join(",")}]`);
  return conditions.length === 1 ? conditions.join("") : `(${conditions.join(" || ")})`;
}

/** The registrations of datasources that are served and within the filter. */
export function servedWithin(
  directory: Directory,
  filter: SearchFilters["datasources"],
): ReadonlyMap<string, DatasourceState> {
  const names = filter === null ? null : new Set(filter.map(({ datasource }) => datasource));
  return new Map(
    [...directory.datasources].filter(
      ([, { status, name }]) => status === "served" && (names === null || names.has(name)),
    ),
  );
}

/** What the filters of the spec ask for beyond whole datasources. */
export function narrowing(
  { datasources, fileTypes, modifiedFrom, modifiedTo }: SearchFilters,
  served: ReadonlyMap<string, DatasourceState>,
): readonly string[] {
  const conditions: string[] = [];
  if (datasources?.some(({ sub }) => sub !== null) === true) conditions.push(subCondition(datasources, served));
  if (fileTypes !== null) conditions.push(`type:=[${fileTypes.join(",") || none}]`);
  if (modifiedFrom !== null) conditions.push(`modified:>=${Math.trunc(modifiedFrom)}`);
  if (modifiedTo !== null) conditions.push(`modified:<=${Math.trunc(modifiedTo)}`);
  return conditions;
}

/** No document carries it. */
const none = "none";

function subCondition(
  entries: NonNullable<SearchFilters["datasources"]>,
  served: ReadonlyMap<string, DatasourceState>,
): string {
  const whole: string[] = [];
  const subs: string[] = [];
  for (const { name, subs: declared, datasourceId } of served.values()) {
    for (const { datasource, sub, childSub } of entries) {
      if (datasource !== name) continue;
      if (sub === null) whole.push(datasourceKey(datasourceId));
      const [parentKey, key] = childSub === null ? [null, sub] : [sub, childSub];
      const found = sub === null ? undefined : declared.find((one) => one.parentKey === parentKey && one.key === key);
      if (found !== undefined) subs.push(found.id);
    }
  }
  return `(ds:=[${whole.join(",") || none}] || subs:=[${subs.join(",") || none}])`;
}
