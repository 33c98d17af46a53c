import type {
  FactSource,
  OpenedFacts,
  PermissionIntervals,
  PermissionHistory,
} from "../../../audit/ports/permissionHistory.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { FactStatements, SqlitePermissionFacts } from "./permissionFacts.js";
import { permissionHistoryFile, permissionHistoryProjection, shownAt } from "./permissionHistorySchema.js";

type OriginRow = readonly [stream: string, revision: number, event: string, at: number, by: string, carried: number];

/**
 * Opens `permissionHistory.sqlite` for questions that may take long, in a thread of their own. Creates the file where
 * it is missing.
 */
export function openSqlitePermissionHistory({
  file,
}: {
  readonly file: string;
}): PermissionHistory & { close(): void } {
  return new SqlitePermissionHistory(file);
}

class SqlitePermissionHistory implements PermissionHistory {
  private readonly database: SqliteDatabase;
  private readonly checkpoints: Checkpoints;
  private readonly history: FactStatements;
  private readonly moment: FactStatements;
  private readonly origin;
  private readonly suspension;
  private readonly opened;

  constructor(file: string) {
    this.database = openForReading(permissionHistoryFile(file));
    this.database.pragma("cache_size = -65536");
    this.checkpoints = new Checkpoints(this.database, permissionHistoryProjection);
    this.history = new FactStatements(this.database, "history");
    this.moment = new FactStatements(this.database, "moment");
    this.origin = this.database.prepare<unknown[], OriginRow>(selectOrigin).raw();
    this.suspension = this.database
      .prepare<unknown[], number | null>(
        "SELECT min(position) FROM suspensions WHERE @datasourceId IS NULL OR datasource_id IN (@datasourceId, '')",
      )
      .pluck();
    const begun = <Row>(sql: string) => this.database.prepare<unknown[], Row>(sql);
    this.opened = {
      registrations: begun<number>(
        "SELECT person FROM registrations WHERE person = (SELECT subject FROM origins WHERE position = @position AND kind = 1) AND opened = @position",
      ).pluck(),
      memberships: begun<[number, number]>(
        `SELECT person, grp FROM memberships WHERE person = (SELECT subject FROM origins WHERE position = @position AND kind = 1) AND opened = @position
         UNION ALL SELECT person, grp FROM memberships WHERE opened = @position
         AND (SELECT stream FROM origins WHERE position = @position AND kind = 0) GLOB 'groupMembers-*'`,
      ).raw(),
      nestings: begun<[number, number]>("SELECT member, grp FROM nestings WHERE opened = @position").raw(),
      names: begun<[number, number]>("SELECT grp, principal FROM group_names WHERE opened = @position").raw(),
      grants: begun<[number, number]>(
        "SELECT document, principal FROM grants WHERE document = (SELECT subject FROM origins WHERE position = @position AND kind = 3) AND opened = @position",
      ).raw(),
    };
  }

  position(): number {
    return Number(this.checkpoints.read());
  }

  upTo(position: number): PermissionIntervals {
    return new SqlitePermissionFacts(this.history, position);
  }

  at(position: number): PermissionIntervals {
    return new SqlitePermissionFacts(this.moment, position);
  }

  source(position: number): FactSource | null {
    const row = this.origin.get(position);
    if (row === undefined) return null;
    const [stream, revision, event, at, by, carried] = row;
    const [time, recordedTime] = [new Date(at).toISOString(), new Date(carried).toISOString()];
    return { position, stream, revision, event, time, recordedTime, by };
  }

  openedBy(position: number): OpenedFacts {
    const { registrations, memberships, nestings, names, grants } = this.opened;
    return {
      registrations: registrations.all({ position }),
      memberships: memberships.all({ position }),
      nestings: nestings.all({ position }),
      names: names.all({ position }),
      grants: grants.all({ position }),
    };
  }

  suspendedFrom(datasourceId?: DatasourceId): number | null {
    return this.suspension.get({ datasourceId: datasourceId ?? null }) ?? null;
  }

  close(): void {
    this.database.close();
  }
}

/** A stream gets its name from its subject, as in `src/events/streams.ts`. */
const selectOrigin = `
  SELECT CASE o.kind
      WHEN 1 THEN 'user-' || (SELECT g.datasource_id || ':' || p.name FROM principals p JOIN incarnations g ON g.id = p.incarnation WHERE p.id = o.subject)
      WHEN 2 THEN 'groupGraph-' || (SELECT datasource_id FROM incarnations WHERE id = o.subject)
      WHEN 3 THEN 'document-' || (SELECT g.datasource_id || ':' || d.document_id FROM documents d JOIN incarnations g ON g.id = d.incarnation WHERE d.id = o.subject)
      ELSE o.stream END,
    o.revision, t.text, ${shownAt}, b.text, ifnull(o.at, o.latest)
  FROM origins o JOIN words t ON t.id = o.type JOIN words b ON b.id = o.by WHERE o.position = ?`;
