import type { DatasourceName } from "../../shared/ids.js";

/** What a question about access can be about. */
export type SubjectKind = "document" | "person" | "group";

/** A document, a person or a group whose name was typed in part. */
export interface FoundSubject {
  readonly kind: SubjectKind;
  /** `{datasource}/{id}`, an email, or `{datasource}/{group}`. */
  readonly value: string;
  /** A title or a display name; the value itself where there is none. */
  readonly label: string;
  /** null of people: they are the same everywhere. */
  readonly datasource: DatasourceName | null;
  /** Whether it is there now; false of what was there once, or is only named by an access list. */
  readonly present: boolean;
}

/** Which subjects are looked for. */
export interface SubjectSearch {
  /** Parts of names, all of which have to occur, in any case. */
  readonly words: readonly string[];
  readonly kinds: readonly SubjectKind[];
  readonly count: number;
}

/** How much a live datasource holds. */
export interface DatasourceCounts {
  readonly datasource: DatasourceName;
  readonly users: number;
  readonly groups: number;
  readonly documents: number;
}

/** Names in the permission history, as far as it has come. Reads many rows, so it lives in a thread. */
export interface Subjects {
  /** The best first: names that begin so, then words that do, then those that hold it; what is there before what was. */
  find(search: SubjectSearch): readonly FoundSubject[];
  counts(): readonly DatasourceCounts[];
}
