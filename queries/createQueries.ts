import { createAuthenticate } from "./credentials/authenticate.js";
import { createCheckAccess } from "./access/checkAccess.js";
import { createFindDatasource } from "./catalogue/findDatasource.js";
import { createFindDocument } from "./search/findDocument.js";
import { createListCredentials } from "./credentials/listCredentials.js";
import { createListDatasources } from "./catalogue/listDatasources.js";
import type { AccessReader, CatalogueReader, CredentialReader, SearchReader } from "./ports.js";
import type { Queries } from "./queries.js";
import { createSearch } from "./search/search.js";

export interface QueriesOptions {
  readonly search: SearchReader;
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  /** The prefix of credentials. */
  readonly productName: string;
  /** How long a question waits for the read models to reach its consistency token. */
  readonly consistencyTimeoutMs: number;
}

/** The registry of questions: a new one is a file and a line here. */
export function createQueries(options: QueriesOptions): Queries {
  const { catalogue, credentials, productName, consistencyTimeoutMs } = options;
  return {
    search: createSearch(options),
    findDocument: createFindDocument(options),
    checkAccess: createCheckAccess(options),
    findDatasource: createFindDatasource(catalogue, consistencyTimeoutMs),
    listDatasources: createListDatasources(catalogue, consistencyTimeoutMs),
    listCredentials: createListCredentials(credentials, consistencyTimeoutMs),
    authenticate: createAuthenticate(credentials, productName),
  };
}
