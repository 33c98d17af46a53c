import type { Changes, Query } from "../../address.js";

/** How many results a page has. */
export const resultsPerPage = 10;

/** The windows of time that one can narrow to, the shortest first. */
export const windows = ["threeday", "week", "month", "threemonth", "year", "fiveyear"] as const;

/** What the address asks for. */
export interface Asked {
  readonly query: string;
  readonly fileTypes: readonly string[];
  readonly sources: readonly string[];
  /** A word of {@link windows}, or a range; null: any time. */
  readonly modified: string | null;
  /** Whether what was modified last comes first. */
  readonly isByTime: boolean;
  /** From 1. */
  readonly page: number;
  /** The person as whom an auditor searches, and as of when. */
  readonly person: string | null;
  readonly moment: string | null;
}

/** Reads what is asked for from the address. */
export function askedIn({ get, all }: Query): Asked {
  const page = Number(get("page") ?? 1);
  return {
    query: (get("query") ?? "").trim(),
    fileTypes: all("file_type"),
    sources: all("data_source"),
    modified: get("last_modified"),
    isByTime: get("sort") === "last_modified",
    page: Number.isInteger(page) && page > 0 ? page : 1,
    person: get("as_user"),
    moment: get("as_of"),
  };
}

/** Whether it is asked as somebody else, or as of another time: only auditors may, and it is recorded. */
export const isAsSomeone = ({ person, moment }: Asked): boolean => person !== null || moment !== null;

/** What is changed to ask something else: it begins at its first page, with no document open. */
export const anew = (changes: Changes): Changes => ({ ...changes, page: null, document: null });

/** The parameters of the search. */
export const parametersOf = ({ query, fileTypes, sources, modified, isByTime, page, person, moment }: Asked) => ({
  query,
  count: resultsPerPage,
  start_page: page - 1,
  facets: ["file_type" as const, "datasource" as const, "last_modified" as const],
  ...(fileTypes.length > 0 && { file_type: fileTypes as never[] }),
  ...(sources.length > 0 && { data_source: [...sources] }),
  ...(modified !== null && { last_modified: modified }),
  ...(isByTime && { sort: "last_modified" as const }),
  ...(person !== null && { as_user: person }),
  ...(moment !== null && { as_of: moment }),
});
