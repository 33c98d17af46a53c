import { useAnswer, type Answer } from "../../api/useAnswer.js";
import { api, type Schemas } from "../../api/client.js";

/** One link of the picture. */
export type Link = Schemas["LinkItem"];
/** An end of a link. */
export type Place = Schemas["Place"];

/** What a picture is drawn from. */
export interface Links {
  readonly items: readonly Link[];
  /** How many there are; more than `items` where that is too many for a picture. */
  readonly total: number;
  /** Why there are none. */
  readonly missing: string | null;
}

/** What links are asked for: of a document, a person or both, or of a group. */
export interface LinksQuestion {
  readonly document?: string;
  readonly user?: string;
  readonly group?: string;
  readonly of?: "people" | "documents";
  readonly at?: string;
}

interface Replied<Data> {
  readonly data?: Data;
  readonly error?: unknown;
}

const pageSize = 1_000;
const mostPages = 3;

/** Asks for links, page after page, up to as many as a picture can take. */
export async function askLinks(question: LinksQuestion, signal: AbortSignal): Promise<Replied<Links>> {
  const items: Link[] = [];
  for (let next: string | undefined, page = 1; ; page++) {
    const query = { ...question, count: pageSize, ...(next !== undefined && { next }) };
    const { data, error } = await api.GET("/api/audit/links", { params: { query }, signal });
    if (data === undefined) return { error };
    items.push(...data.items);
    next = data.next;
    if (next === undefined || page === mostPages)
      return { data: { items, total: data.total ?? items.length, missing: data.missing?.detail ?? null } };
  }
}

/** The links of a picture. */
export const useLinks = (question: LinksQuestion): Answer<Links> =>
  useAnswer(`links ${JSON.stringify(question)}`, (signal) => askLinks(question, signal));

/** The links behind those counts that were opened: each is written `people {group}` or `documents {group}`. */
export function useOpened(open: readonly string[], at: { readonly at?: string }): Answer<readonly Link[]> {
  const fans = open.flatMap((text) => {
    const [, of, group] = /^(people|documents) (.+)$/s.exec(text) ?? [];
    return of === undefined || group === undefined ? [] : [{ of: of as "people" | "documents", group }];
  });
  return useAnswer(
    `opened ${JSON.stringify([fans, at])}`,
    fans.length === 0
      ? null
      : async (signal) => {
          const answers = await Promise.all(fans.map((fan) => askLinks({ ...fan, ...at }, signal)));
          const refused = answers.find(({ data }) => data === undefined);
          if (refused !== undefined) return { error: refused.error };
          return { data: answers.flatMap(({ data }) => data?.items ?? []) };
        },
  );
}
