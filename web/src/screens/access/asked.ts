import { addressOf, type Changes } from "../../address.js";
import type { Query } from "../../address.js";

/** What the address asks. Everything else on the screen follows from it. */
export interface Asked {
  /** `{datasource}/{id}`; null: any. */
  readonly document: string | null;
  /** An email; null: anybody. */
  readonly person: string | null;
  /** Whom the person is compared with. */
  readonly other: string | null;
  /** A position of the log, or a time; null: now. */
  readonly at: string | null;
}

const given = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text.trim());

/** As the API's answers write it, whichever of the two ways it was written in. */
const documentIn = (text: string | null): string | null => text?.replace(/^([^/]*?)__/, "$1/") ?? null;

/** What is asked in an address. */
export const askedIn = (query: Query): Asked => ({
  document: documentIn(given(query.get("document"))),
  person: given(query.get("person")),
  other: given(query.get("other")),
  at: given(query.get("at")),
});

/** The address of this screen with a question. */
export const accessAddress = (changes: Changes): string => addressOf("/access", changes);

/** The parameter `at` of a question to the API. */
export const momentOf = (at: string | null): { readonly at?: string } => (at === null ? {} : { at });
