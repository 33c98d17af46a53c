import { type TypesenseConnection, TypesenseFailure } from "./connection.js";
import {
  aliasName,
  collectionFields,
  collectionParts,
  namesOf,
  schemaVersion,
  vectorsPrefix,
  versionOf,
  type CollectionNames,
} from "./schema.js";

/**
 * The versions of the search read model in one namespace: they are created beside each other, and one of them is
 * served.
 */
export class Collections {
  /** Where this code writes. */
  readonly names: CollectionNames;

  constructor(
    private readonly connection: TypesenseConnection,
    readonly namespace: string,
  ) {
    this.names = namesOf(namespace);
  }

  /** Rejects where the alias of this namespace names something that is not a search read model of ours. */
  async assertOurs(): Promise<void> {
    const target = await this.connection.aliasTarget(aliasName(this.namespace));
    if (target === null || versionOf(this.namespace, target) !== null) return;
    throw new Error(
      `The alias ${aliasName(this.namespace)} in Typesense names the collection ${target}, which is not a search collection of this product. Choose another namespace, or remove the alias.`,
    );
  }

  /**
   * Makes the collections of this code's version. If one of them was lost, all are made anew, for none is whole without
   * the others.
   */
  async create(): Promise<void> {
    const present = new Set(await this.connection.collectionNames());
    const missing = collectionParts.filter((part) => !present.has(this.names[part]));
    if (missing.length === 0) return;
    for (const name of present)
      if (name.startsWith(vectorsPrefix(this.namespace))) await this.connection.dropCollection(name);
    for (const part of collectionParts) {
      if (!missing.includes(part)) await this.connection.dropCollection(this.names[part]);
      await this.connection.createCollection({ name: this.names[part], fields: [...collectionFields[part]] });
    }
  }

  /** The version that is served; null where none is. */
  async servedVersion(): Promise<string | null> {
    const target = await this.connection.aliasTarget(aliasName(this.namespace));
    return target === null ? null : versionOf(this.namespace, target);
  }

  /** Serves this code's version, and drops every other: what is erased from now on would stay in them. */
  async serveOurs(): Promise<void> {
    await this.connection.pointAlias(aliasName(this.namespace), this.names.documents);
    for (const name of await this.connection.collectionNames()) {
      const version = versionOf(this.namespace, name);
      if (version !== null && version !== schemaVersion) await this.connection.dropCollection(name);
    }
  }
}

/** True where a collection is not there, or no longer. */
export const isMissing = (error: unknown): boolean => error instanceof TypesenseFailure && error.status === 404;
