import type { PreparedDocument } from "../../../../projections/search/ports.js";
import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { joinedTermsOf } from "../../../analysis/words.js";
import type { DatasourceId, DocumentId } from "../../../shared/ids.js";
import { partsOf } from "../../../shared/textParts.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { AccessClassRows } from "./accessClasses.js";
import type { Counters } from "./counters.js";
import type { DatasourceRows } from "./datasourceRows.js";
import { DocumentWordRows } from "./documentWords.js";
import { DoubtedWords } from "./doubtedWords.js";
import { numberOfFileType } from "./columnNumbers.js";
import { firstPartOf } from "./schema.js";
import { TitleRows } from "./titleRows.js";
import { VocabularyRows } from "./vocabularyRows.js";

interface DocumentRowsOptions {
  readonly database: SqliteDatabase;
  readonly counters: Counters;
  readonly datasources: DatasourceRows;
  /** How many removed documents stay listed for readers. */
  readonly listedRemovals: number;
}

/** The documents with their texts and terms. Call inside a write transaction. */
export class DocumentRows {
  readonly vocabulary: VocabularyRows;
  readonly doubted: DoubtedWords;
  private readonly words: DocumentWordRows;
  private readonly titles: TitleRows;
  private readonly classes: AccessClassRows;
  private readonly counters: Counters;
  private readonly datasources: DatasourceRows;
  private readonly listedRemovals: number;
  private readonly statements;

  constructor({ database, counters, datasources, listedRemovals }: DocumentRowsOptions) {
    this.vocabulary = new VocabularyRows(database);
    this.doubted = new DoubtedWords(database, this.vocabulary);
    this.words = new DocumentWordRows(database);
    this.titles = new TitleRows(database);
    this.classes = new AccessClassRows(database);
    this.counters = counters;
    this.datasources = datasources;
    this.listedRemovals = listedRemovals;
    this.statements = prepareStatements(database);
  }

  /** Replaces the whole document. Writes nothing where its datasource is unknown or gone. */
  put({ document, position, indexedAt, tokens, searchFileType, modified, text, analysed }: PreparedDocument): void {
    const datasource = this.datasources.find(document.datasourceId);
    if (datasource === null) return;
    this.vocabulary.add(analysed.words);
    this.removeFrom(datasource.id, document.documentId, analysed);
    const row = this.counters.values.nextRow++;
    const { sub, childSub } = this.datasources.bind(datasource.id, document.sub, document.childSub, position);
    const { customProperties, file } = document;
    this.statements.insert.run(
      row,
      datasource.id,
      document.documentId,
      this.classes.idOf(tokens),
      sub,
      childSub,
      numberOfFileType(searchFileType),
      modified,
      indexedAt,
      analysed.language,
      document.title,
      document.fileType,
      document.mimeType,
      document.size,
      document.path,
      document.pathPreview,
      document.author,
      document.lastModified,
      customProperties.length === 0 ? null : JSON.stringify(customProperties),
      termCount(analysed),
      file === undefined ? null : JSON.stringify(file),
    );
    partsOf(text).forEach((part, index) => this.statements.insertPart.run(firstPartOf(row) + index, part));
    this.addTerms(row, document.title, analysed);
  }

  /** No error where there is no such document. */
  remove(datasourceId: DatasourceId, documentId: DocumentId): void {
    const datasource = this.datasources.find(datasourceId);
    if (datasource !== null) this.removeFrom(datasource.id, documentId, null);
  }

  /** @param successor the version that takes its place, where there is one. */
  removeRow(row: number, successor: AnalysedDocument | null = null): void {
    this.doubted.add(row, successor);
    this.statements.remove.run(row);
    this.statements.removeParts.run(firstPartOf(row), firstPartOf(row + 1));
    this.dropTerms(row);
  }

  /** Gives a document new terms, and with them a new row; its title is as it was. */
  replaceTerms(row: number, title: string, analysed: AnalysedDocument): void {
    const newRow = this.counters.values.nextRow++;
    this.vocabulary.add(analysed.words);
    this.doubted.add(row, analysed);
    this.dropTerms(row);
    this.statements.renumber.run(newRow, analysed.language, termCount(analysed), row);
    this.statements.renumberParts.run(firstPartOf(newRow) - firstPartOf(row), firstPartOf(row), firstPartOf(row + 1));
    this.addTerms(newRow, title, analysed);
  }

  private removeFrom(datasource: number, documentId: DocumentId, successor: AnalysedDocument | null): void {
    const row = this.statements.find.get(datasource, documentId);
    if (row !== undefined) this.removeRow(row, successor);
  }

  private addTerms(row: number, title: string, analysed: AnalysedDocument): void {
    const { language } = analysed;
    this.statements.insertTerms.run(
      row,
      joinedTermsOf(analysed.title, language),
      joinedTermsOf(analysed.body, language),
    );
    analysed.passages.forEach((page, index) => this.statements.insertPage.run(firstPartOf(row) + index, page));
    this.titles.add(row, title);
    this.words.add(row, analysed.words);
  }

  private dropTerms(row: number): void {
    this.statements.removeTerms.run(row);
    this.statements.removePages.run(firstPartOf(row), firstPartOf(row + 1));
    this.statements.removeVectors.run(row);
    this.words.remove(row);
    this.titles.remove(row);
    const values = this.counters.values;
    this.statements.listRemoval.run(values.nextRemoval++, row);
    if (values.nextRemoval - values.oldestRemoval <= this.listedRemovals) return;
    values.oldestRemoval = values.nextRemoval - Math.floor(this.listedRemovals / 2);
    this.statements.unlistRemovals.run(values.oldestRemoval);
  }
}

const termCount = ({ titleLength, bodyLength }: AnalysedDocument): number => titleLength + bodyLength;

const prepareStatements = (database: SqliteDatabase) => ({
  find: database
    .prepare<[number, string], number>("SELECT row FROM documents WHERE datasource = ? AND document_id = ?")
    .pluck(),
  insert: database.prepare(`INSERT INTO documents VALUES (${Array.from({ length: 21 }, () => "?").join(", ")})`),
  remove: database.prepare("DELETE FROM documents WHERE row = ?"),
  renumber: database.prepare("UPDATE documents SET row = ?, language = ?, term_count = ? WHERE row = ?"),
  insertPart: database.prepare("INSERT INTO texts VALUES (?, ?)"),
  removeParts: database.prepare("DELETE FROM texts WHERE part >= ? AND part < ?"),
  renumberParts: database.prepare("UPDATE texts SET part = part + ? WHERE part >= ? AND part < ?"),
  insertPage: database.prepare("INSERT INTO passages VALUES (?, ?)"),
  removePages: database.prepare("DELETE FROM passages WHERE page >= ? AND page < ?"),
  insertTerms: database.prepare("INSERT INTO terms (rowid, title, body) VALUES (?, ?, ?)"),
  removeVectors: database.prepare("DELETE FROM vectors WHERE row = ?"),
  removeTerms: database.prepare("DELETE FROM terms WHERE rowid = ?"),
  listRemoval: database.prepare("INSERT INTO removals VALUES (?, ?)"),
  unlistRemovals: database.prepare("DELETE FROM removals WHERE sequence < ?"),
});
