import type { AccessReader, CatalogueReader, CredentialReader, SearchReader } from "../../../queries/ports.js";

/** Readers of one version of read models. What is left out is not compared. */
export interface ComparedReaders {
  readonly search?: SearchReader;
  readonly access?: AccessReader;
  readonly catalogue?: CatalogueReader;
  readonly credentials?: CredentialReader;
}
