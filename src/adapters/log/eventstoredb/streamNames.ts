import type { ContentKey } from "../../../../projections/ports.js";
import {
  documentStream,
  fileStream,
  idOf,
  streamCategories,
  type StreamCategory,
  type StreamName,
} from "../../../events/streams.js";
import { toDatasourceId, toDocumentId, toFileId, type DatasourceId } from "../../../shared/ids.js";

const metadataPrefix = "$$";

/** The stream in which the server keeps what hides events of another one: from which revision on it is read. */
export const metadataStream = (name: string): string => `${metadataPrefix}${name}`;

/**
 * The names of a tenant's streams on the server: `{namespace}.{stream}`. A namespace holds no dot, so no other tenant's
 * streams begin as ours do.
 */
export class StreamNames {
  private readonly prefix: string;
  /** The type of the event with which each text begins. By it texts are found without reading them. */
  readonly textBegun: string;
  /** The stream that says whose the namespace is. */
  readonly claim: string;
  /** The stream that says how far texts were swept. */
  readonly sweeps: string;

  constructor(namespace: string) {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(namespace))
      throw new Error(`"${namespace}" cannot be a namespace: lowercase letters, digits, _ and - are allowed.`);
    this.prefix = `${namespace}.`;
    this.textBegun = `${namespace}.TextBegun`;
    this.claim = `${namespace}.namespace`;
    this.sweeps = `${namespace}.textSweeps`;
  }

  /** Whether a stream on the server is one of this tenant's, whatever it holds, or tells of one. */
  owns(name: string): boolean {
    return name.startsWith(this.prefix) || name.startsWith(`${metadataPrefix}${this.prefix}`);
  }

  of(stream: StreamName): string {
    return `${this.prefix}${stream}`;
  }

  /** How the streams of these categories begin, and those in which the server keeps whether they were deleted. */
  prefixesOf(categories: readonly StreamCategory[]): readonly string[] {
    const prefixes = categories.map((category) => `${this.prefix}${category}-`);
    return [...prefixes, ...prefixes.map(metadataStream)];
  }

  ofTexts(datasourceId: DatasourceId): string {
    return `${this.prefix}content-${datasourceId}:`;
  }

  /** Ids of documents have a colon, those of files have none: their names never meet. */
  ofText({ stream, reference }: Pick<ContentKey, "stream" | "reference">): string {
    return `${this.prefix}content-${idOf(stream)}:${reference.sha256}`;
  }

  /** The text whose stream this is; null where it is no text of this tenant. */
  parseText(name: string): { readonly stream: StreamName; readonly sha256: string } | null {
    const prefix = `${this.prefix}content-`;
    const [first, second, third] = name.startsWith(prefix) ? name.slice(prefix.length).split(":") : [];
    if (first === undefined || second === undefined) return null;
    return third === undefined
      ? { stream: fileStream(toFileId(first)), sha256: second }
      : { stream: documentStream(toDatasourceId(first), toDocumentId(second)), sha256: third };
  }

  /**
   * Our name of the stream of which a stream on the server tells; null where it tells of no stream of events of ours.
   */
  parseMetadata(name: string): StreamName | null {
    return name.startsWith(metadataPrefix) ? this.parse(name.slice(metadataPrefix.length)) : null;
  }

  /** Our name of a stream on the server; null where it is no stream of events of this tenant. */
  parse(name: string): StreamName | null {
    if (!this.owns(name)) return null;
    const stream = name.slice(this.prefix.length);
    return streamCategories.some((category) => stream.startsWith(`${category}-`)) ? (stream as StreamName) : null;
  }
}
