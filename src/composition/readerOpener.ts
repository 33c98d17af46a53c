import type { EventSource } from "../../projections/ports.js";
import type { OpenedReader, ReaderByName, ServedReadModelName } from "./readerSet.js";
import {
  openReadModelReaders,
  placeOf,
  type ReadModelConfig,
  type ReadModelReaders,
  type SmallReadModelName,
} from "./readModelEngine.js";
import { openSearchReader, type SearchConfig } from "./searchEngine.js";
import { SharedOpenings } from "./sharedOpenings.js";

export type OpenReader = <Name extends keyof ReaderByName>(
  name: Name,
  version: number,
) => Promise<OpenedReader<ReaderByName[Name]>>;

/**
 * Opens readers of any version; those that lie in one place share what is opened there. As for `openReadSide`,
 * `onEmptied` is told.
 */
export function createReaderOpener(
  config: ReadModelConfig & SearchConfig,
  source: EventSource,
  onEmptied?: () => void,
): OpenReader {
  const places = new SharedOpenings<ReadModelReaders>(
    (place) => openReadModelReaders(config, place, source),
    (readers) => readers.close(),
  );
  const openSmall = async (name: SmallReadModelName, version: number): Promise<OpenedReader<unknown>> => {
    const { opened, release } = await places.take(placeOf(config, { name, version }));
    return {
      version,
      reader: name === "groupClosure" ? opened.access : opened[name],
      parked: opened.parked,
      counted: opened.counted,
      close: release,
    };
  };
  const openSearch = async (version: number): Promise<OpenedReader<unknown>> => {
    const reader = await openSearchReader(config, version, onEmptied);
    return { version, reader, parked: reader.parked, counted: reader.counted, close: () => reader.close() };
  };
  // Which reader belongs to a name is told by `ReaderByName`; a function over a union cannot say so.
  return ((name: ServedReadModelName, version: number) =>
    name === "search" ? openSearch(version) : openSmall(name, version)) as OpenReader;
}
