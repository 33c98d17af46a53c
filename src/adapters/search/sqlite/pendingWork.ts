import type { AnalysableDocument, AnalyseDocument } from "../../../../projections/search/ports.js";
import type { CustomProperty } from "../../../events/document.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { DocumentRows } from "./documentRows.js";
import { firstPartOf } from "./schema.js";

/** How many documents one step analyses: some ten milliseconds. */
const documentsPerStep = 200;
/** How many rows one step looks through for documents of one datasource. */
const rowsPerStep = 50_000;

interface PendingAnalysis {
  readonly datasource: number;
  readonly afterRow: number;
  readonly lastRow: number;
  readonly searchable: string;
}

interface AnalysableRow extends Omit<AnalysableDocument, "text" | "customProperties"> {
  readonly row: number;
  readonly customProperties: string;
}

/** Work that a change of a datasource leaves behind for all of its documents, done in bounded steps. */
export class PendingWork {
  private readonly statements;

  constructor(
    database: SqliteDatabase,
    private readonly documents: DocumentRows,
    private readonly analyse: AnalyseDocument,
  ) {
    this.statements = prepareStatements(database);
  }

  isLeft(): boolean {
    return this.statements.left.get() === 1;
  }

  /** One bounded step, inside a write transaction. */
  step(): void {
    const deleted = this.statements.nextRemoval.get();
    if (deleted !== undefined) return this.removeSome(deleted);
    const pending = this.statements.nextAnalysis.get();
    if (pending !== undefined) this.analyseSome(pending);
  }

  private removeSome(datasource: number): void {
    const rows = this.statements.someRows.all(datasource, documentsPerStep);
    for (const row of rows) this.documents.removeRow(row);
    if (rows.length === documentsPerStep) return;
    this.statements.removalDone.run(datasource);
    this.statements.analysisDone.run(datasource);
    this.statements.forgetDatasource.run(datasource);
    this.statements.forgetClasses.run();
  }

  /** Documents written since the change already carry its terms: they come after `lastRow`. */
  private analyseSome({ datasource, afterRow, lastRow, searchable }: PendingAnalysis): void {
    const names = new Set(JSON.parse(searchable) as string[]);
    const end = Math.min(lastRow, afterRow + rowsPerStep);
    const rows = this.statements.withProperties.all(afterRow, end, datasource, documentsPerStep);
    for (const { row, customProperties, ...shown } of rows) {
      const text = this.statements.parts.all(firstPartOf(row), firstPartOf(row + 1)).join("");
      const properties = JSON.parse(customProperties) as CustomProperty[];
      this.documents.replaceTerms(
        row,
        shown.title,
        this.analyse({ ...shown, text, customProperties: properties }, names),
      );
    }
    const reached = rows.length === documentsPerStep ? (rows.at(-1)?.row ?? end) : end;
    if (reached >= lastRow) this.statements.analysisDone.run(datasource);
    else this.statements.analysisReached.run(reached, datasource);
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  left: database
    .prepare<[], number>("SELECT EXISTS (SELECT 1 FROM pending_removal) OR EXISTS (SELECT 1 FROM pending_analysis)")
    .pluck(),
  nextRemoval: database.prepare<[], number>("SELECT datasource FROM pending_removal LIMIT 1").pluck(),
  someRows: database
    .prepare<[number, number], number>("SELECT row FROM documents WHERE datasource = ? LIMIT ?")
    .pluck(),
  removalDone: database.prepare("DELETE FROM pending_removal WHERE datasource = ?"),
  forgetDatasource: database.prepare("DELETE FROM datasources WHERE id = ?"),
  forgetClasses: database.prepare("DELETE FROM access_classes WHERE id NOT IN (SELECT class FROM documents)"),
  nextAnalysis: database.prepare<[], PendingAnalysis>(
    `SELECT datasource, after_row AS afterRow, last_row AS lastRow, searchable
     FROM pending_analysis JOIN datasources ON datasources.id = datasource LIMIT 1`,
  ),
  withProperties: database.prepare<[number, number, number, number], AnalysableRow>(
    `SELECT row, title, author, path, path_preview AS pathPreview, custom_properties AS customProperties FROM documents
     WHERE row > ? AND row <= ? AND datasource = ? AND custom_properties IS NOT NULL ORDER BY row LIMIT ?`,
  ),
  parts: database
    .prepare<[number, number], string>("SELECT text FROM texts WHERE part >= ? AND part < ? ORDER BY part")
    .pluck(),
  analysisReached: database.prepare("UPDATE pending_analysis SET after_row = ? WHERE datasource = ?"),
  analysisDone: database.prepare("DELETE FROM pending_analysis WHERE datasource = ?"),
});
