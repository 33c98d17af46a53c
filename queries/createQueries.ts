import { createAuthenticate } from "./authenticate.js";
import { createCheckAccess } from "./checkAccess.js";
import { createFindDatasource } from "./findDatasource.js";
import { createFindDocument } from "./findDocument.js";
import { createListCredentials } from "./listCredentials.js";
import { createListDatasources } from "./listDatasources.js";
import type { AccessReader, CatalogueReader, CredentialReader, SearchReader } from "./ports.js";
import type { Queries } from "./queries.js";
import { createSearch } from "./search.js";

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
