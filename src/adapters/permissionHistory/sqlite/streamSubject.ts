import type { EventOrigin } from "../../../../projections/permissionHistory/changes.js";
import { toDatasourceId, toDocumentId } from "../../../shared/ids.js";
import type { Interning } from "./interning.js";
import { principalKinds, subjectKinds } from "./permissionHistorySchema.js";

/** The subject of an event's stream, where the rows know it by a number. */
export interface StreamSubject {
  readonly kind: (typeof subjectKinds)["person" | "incarnation" | "document"];
  readonly number: number;
  readonly incarnation: number;
  /** True for a document that was never heard of. */
  readonly isNew: boolean;
}

/**
 * The subject of a stream, or null where the stream is known by its text. It is told from the stream's name alone, so
 * numbers are given in the order of the log, whatever can be read of it or is followed. So pages of an answer go on in
 * another version of the history.
 */
export function subjectOf({ category, streamId, revision }: EventOrigin, interning: Interning): StreamSubject | null {
  if (category === "groupGraph") {
    const incarnation = interning.incarnation(toDatasourceId(streamId));
    return { kind: subjectKinds.incarnation, number: incarnation, incarnation, isNew: false };
  }
  if (category !== "user" && category !== "document") return null;
  const at = streamId.indexOf(":");
  const incarnation = interning.incarnation(toDatasourceId(streamId.slice(0, at)));
  const rest = streamId.slice(at + 1);
  if (category === "user")
    return {
      kind: subjectKinds.person,
      number: interning.principal(incarnation, principalKinds.user, rest),
      incarnation,
      isNew: false,
    };
  const { id, isNew } = interning.document(incarnation, toDocumentId(rest), revision === 0);
  return { kind: subjectKinds.document, number: id, incarnation, isNew };
}
