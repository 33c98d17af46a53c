import { useLocation } from "preact-iso";

/** The query string of the address, and how to change it. */
export interface Query {
  readonly get: (name: string) => string | null;
  readonly all: (name: string) => readonly string[];
  /** This address with changed parameters: what a link to it holds. */
  readonly with: (changes: Changes) => string;
  /** Changes parameters: null or an empty list takes one away. `replace`: without a step in the history. */
  readonly set: (changes: Changes, how?: "push" | "replace") => void;
}

/** Parameters by name. */
export type Changes = Readonly<Record<string, string | readonly string[] | null>>;

/** A path of this page with parameters: what a link to it holds. */
export const addressOf = (path: string, parameters: Changes = {}): string =>
  addressWith(path, changed(new URLSearchParams(), parameters));

function addressWith(path: string, parameters: URLSearchParams): string {
  const query = parameters.toString();
  return query === "" ? path : `${path}?${query}`;
}

function changed(parameters: URLSearchParams, changes: Changes): URLSearchParams {
  for (const [name, value] of Object.entries(changes)) {
    parameters.delete(name);
    for (const each of value === null ? [] : [value].flat()) parameters.append(name, each);
  }
  return parameters;
}

/** Reads and changes the query string of the address, which holds everything that a link should show again. */
export function useQuery(): Query {
  const { url, path, route } = useLocation();
  const at = url.indexOf("?");
  const parameters = new URLSearchParams(at === -1 ? "" : url.slice(at));
  const changedBy = (changes: Changes): string => addressWith(path, changed(new URLSearchParams(parameters), changes));
  return {
    get: (name) => parameters.get(name),
    all: (name) => parameters.getAll(name),
    with: changedBy,
    set: (changes, how = "push") => route(changedBy(changes), how === "replace"),
  };
}
