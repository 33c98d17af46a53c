import type { Holdings, Removal, Removals } from "../../../audit/ports/permissionHistory.js";
import { openForReading } from "../../sqlite/database.js";
import { permissionHistoryFile, shownAt, subjectKinds } from "./permissionHistorySchema.js";

/** This many events are a few milliseconds' work. */
const eventsPerStep = 500;

interface DocumentEvent {
  readonly position: number;
  readonly document: number;
  readonly at: number;
  readonly by: string;
}

/**
 * Opens the permission history for what was removed when; reads in this thread. Creates the file where it is missing.
 */
export function openSqliteRemovals({ file }: { readonly file: string }): Removals & { close(): void } {
  const database = openForReading(permissionHistoryFile(file));
  const selectLast = database
    .prepare<[number, number], number | null>(
      "SELECT max(position) FROM (SELECT position FROM origins WHERE position > ? ORDER BY position LIMIT ?)",
    )
    .pluck();
  const selectEvents = database.prepare<[number, number, number], DocumentEvent>(
    `SELECT o.position, o.subject AS document, ${shownAt} AS at, w.text AS by FROM origins o JOIN words w ON w.id = o.by
     WHERE o.position > ? AND o.position <= ? AND o.kind = ? ORDER BY o.position`,
  );
  const countGone = database
    .prepare<
      [number, number, number, number, number],
      readonly [incarnation: number, documents: number, grants: number]
    >(
      `SELECT (SELECT incarnation FROM documents WHERE id = ?), (SELECT count(*) FROM existences WHERE document = ? AND closed = ?),
       (SELECT count(*) FROM grants WHERE document = ? AND closed = ?)`,
    )
    .raw();
  const countThere = database.prepare<[number, number, number, number, number, number, number], Holdings>(
    `SELECT (SELECT name FROM incarnations WHERE id = ?) AS datasource,
     (SELECT count(*) FROM documents d JOIN existences e ON e.document = d.id WHERE d.incarnation = ? AND e.opened < ? AND (e.closed IS NULL OR e.closed >= ?)) AS documents,
     (SELECT count(*) FROM documents d JOIN grants g ON g.document = d.id WHERE d.incarnation = ? AND g.opened < ? AND (g.closed IS NULL OR g.closed >= ?)) AS grants`,
  );
  const selectFrom = database
    .prepare<[number], readonly [position: number, latest: number]>(
      "SELECT position, latest FROM origins WHERE position >= ? ORDER BY position LIMIT 1",
    )
    .raw();
  const selectNewest = database.prepare<[], number | null>("SELECT max(position) FROM origins").pluck();
  const removalOf = ({ position, document, at, by }: DocumentEvent): Removal => {
    const [incarnation = 0, documents = 0, grants = 0] =
      countGone.get(document, document, position, document, position) ?? [];
    return { position, at, by, incarnation, documents, grants };
  };
  return {
    after(position) {
      const last = selectLast.get(position, eventsPerStep) ?? null;
      if (last === null) return { removals: [], position, isEnd: true };
      const events = selectEvents.all(position, last, subjectKinds.document);
      return {
        removals: events.map(removalOf).filter(({ documents, grants }) => documents + grants > 0),
        position: last,
        isEnd: false,
      };
    },
    positionAt(time) {
      let [low, high] = [1, (selectNewest.get() ?? 0) + 1];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const found = selectFrom.get(middle);
        if (found !== undefined && found[1] < time) low = found[0] + 1;
        else high = middle;
      }
      return low;
    },
    before: (incarnation, position) =>
      countThere.get(incarnation, incarnation, position, position, incarnation, position, position) as Holdings,
    close: () => void database.close(),
  };
}
