import type { AnalyseDocument } from "../../../../projections/search/ports.js";
import type { AccessNumbers } from "./accessNumbers.js";
import { type TypesenseConnection, TypesenseFailure } from "./connection.js";
import type { DatasourceTable } from "./datasourceTable.js";
import { pagesOf, type DocumentWriter } from "./documentWriter.js";
import { datasourceKey } from "./encoding.js";
import { engineWordsOf } from "./frequencies.js";
import type { LexiconRows } from "./lexiconRows.js";
import type { DatasourceState, DocumentRow, StoredHitSummary, TextRow, CollectionNames } from "./schema.js";
import { StoredTexts } from "./storedTexts.js";

/** How many documents one step removes: some hundred milliseconds. */
const removedPerStep = 250;
const analysedPerStep = 50;
const notThere = 404;

interface PendingWorkParts {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly documents: DocumentWriter;
  readonly numbers: AccessNumbers;
  readonly lexicon: LexiconRows;
  readonly analyse: AnalyseDocument;
}

/**
 * Work that a change of a datasource leaves behind for all of its documents. It is done in bounded steps, each of which
 * can be repeated.
 */
export class PendingWork {
  constructor(private readonly parts: PendingWorkParts) {}

  /** One step. Afterwards the table knows the new state of the datasource; the caller writes it. */
  async step(table: DatasourceTable): Promise<void> {
    const state = table.withWorkLeft();
    if (state === null) return;
    if (state.status === "deleted") await this.removeSome(state, table);
    else await this.analyseSome(state, table);
  }

  private async removeSome({ datasourceId }: DatasourceState, table: DatasourceTable): Promise<void> {
    const ds = datasourceKey(datasourceId);
    const search = { q: "*", filter_by: `ds:=${ds}`, per_page: removedPerStep };
    const [documents, texts] = await this.parts.connection.search<{ readonly id: string; readonly doc?: string }>([
      { ...search, collection: this.parts.names.documents, include_fields: "id" },
      { ...search, collection: this.parts.names.texts, include_fields: "doc" },
    ]);
    const ids = [
      ...(documents?.hits ?? []).map(({ document }) => document.id),
      ...(texts?.hits ?? []).map(({ document }) => document.doc ?? ""),
    ];
    await this.parts.documents.remove([...new Set(ids)]);
    if (ids.length > 0) return;
    await this.parts.numbers.removeOf(ds);
    await this.parts.connection.remove(this.parts.names.state, `id:=d${ds}`);
    table.forget(datasourceId);
  }

  /** Documents written since the change already carry its terms: they are at later positions. */
  private async analyseSome(state: DatasourceState, table: DatasourceTable): Promise<void> {
    const { after, upTo } = state.toAnalyse ?? { after: 0, upTo: 0 };
    const filter = `ds:=${datasourceKey(state.datasourceId)} && props:=true && position:>${after} && position:<=${upTo}`;
    const { connection, names } = this.parts;
    const [answer] = await connection.search<DocumentRow>([
      { collection: names.documents, q: "*", filter_by: filter, sort_by: "position:asc", per_page: analysedPerStep },
    ]);
    const rows = (answer?.hits ?? []).map(({ document }) => document);
    const searchable = new Set(state.searchable);
    const updates: Partial<DocumentRow>[] = [];
    const pages: TextRow[] = [];
    const texts = new StoredTexts(connection, names.texts);
    for (const row of rows) {
      const text = await texts.whole(row);
      if (text === null) continue;
      const analysed = this.parts.analyse({ ...(JSON.parse(row.card) as StoredHitSummary), text }, searchable);
      await this.parts.lexicon.add([analysed]);
      const { here, beside } = pagesOf(analysed, row, row.text !== undefined);
      updates.push({ id: row.id, ...engineWordsOf(analysed), ...here });
      pages.push(...beside);
    }
    await connection.write(names.texts, pages);
    await this.update(updates);
    table.analysedUpTo(state.datasourceId, rows.length < analysedPerStep ? upTo : (rows.at(-1)?.position ?? upTo));
  }

  /** A document that is not there needs nothing from a step: its event is delivered again, or it was removed. */
  private async update(rows: readonly Partial<DocumentRow>[]): Promise<void> {
    const outcomes = await this.parts.connection.import(this.parts.names.documents, rows, "update");
    const failed = outcomes.find(({ success, code }) => !success && code !== notThere);
    if (failed !== undefined)
      throw new TypesenseFailure("Typesense did not take the new terms of a document.", failed.code ?? null);
  }
}
