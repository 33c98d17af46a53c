import type { PastSearchReader } from "../audit/ports/pastSearch.js";
import { openSqlitePastSearchReader } from "../adapters/search/sqlite/openSqlitePastSearchReader.js";
import { prefixWithSetting } from "./prefixWithSetting.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import { typesenseOf, type SearchConfig } from "./searchEngine.js";
import { fileOf } from "./versionPlaces.js";

type OpenedReader = PastSearchReader & { close(): Promise<void> };

/** A reader of one version, and who is asking it. */
interface InUse {
  readonly version: number;
  readonly reader: Promise<OpenedReader>;
  readonly questions: Set<Promise<unknown>>;
}

/**
 * The search collection for questions about the past: nothing is opened before the first one, and each is asked of the
 * version that is served when it comes. That of another version is closed once its last question is answered.
 */
export function openPastSearch(config: SearchConfig, feed: ProjectionFeed): OpenedReader {
  let current: InUse | null = null;
  const close = async (used: InUse | null): Promise<void> => {
    if (used === null) return;
    await Promise.allSettled(used.questions);
    await (await used.reader.catch(() => null))?.close();
  };
  const inUse = (): InUse => {
    const version = feed.of("search").live;
    if (current?.version === version) return current;
    void close(current).catch(() => undefined);
    const opened: InUse = { version, reader: openReader(config, version), questions: new Set() };
    // What cannot be opened is tried again by the next question.
    opened.reader.catch(() => (current = current === opened ? null : current));
    return (current = opened);
  };
  return {
    searchAmong: (request) => {
      const used = inUse();
      const question = used.reader
        .then((reader) => reader.searchAmong(request))
        .finally(() => used.questions.delete(question));
      used.questions.add(question);
      return question;
    },
    close: () => close(current),
  };
}

async function openReader(config: SearchConfig, version: number): Promise<OpenedReader> {
  const server = typesenseOf(config, version);
  if (server === null) return openSqlitePastSearchReader({ file: fileOf(config.dataDir, { name: "search", version }) });
  const { openTypesensePastSearchReader } = await import("./typesenseAdapters.js");
  return prefixWithSetting("TYPESENSE_URL", openTypesensePastSearchReader(server));
}
