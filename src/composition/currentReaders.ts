import type { Checkpointed } from "../../queries/ports.js";
import type { ReaderByName } from "./readerSet.js";
import type { ServedQueries } from "./servedQueries.js";

/** Readers of whatever versions are served at each call, for who asks them and no questions. */
export function currentReaders(served: ServedQueries): ReaderByName {
  const reader = <Name extends keyof ReaderByName, Value>(
    name: Name,
    ask: (of: ReaderByName[Name]) => Promise<Value>,
  ): Promise<Value> => served.within((readerSet) => ask(readerSet.readers()[name]));
  const projected = (name: keyof ReaderByName): Checkpointed => ({
    position: () => reader(name, (of) => of.position()),
    reached: (position, timeoutMs) => reader(name, (of) => of.reached(position, timeoutMs)),
  });
  return {
    search: {
      ...projected("search"),
      search: (request) => reader("search", (of) => of.search(request)),
      find: (datasource, documentId) => reader("search", (of) => of.find(datasource, documentId)),
      text: (datasource, documentId) => reader("search", (of) => of.text(datasource, documentId)),
      ...(served.readerSet.opened.search.reader.searchedBy !== undefined && {
        searchedBy: (datasource, documentId, tokens) =>
          reader("search", (of) => of.searchedBy?.(datasource, documentId, tokens) ?? Promise.resolve("nothing")),
      }),
    },
    groupClosure: {
      ...projected("groupClosure"),
      heldTokens: (email) => reader("groupClosure", (of) => of.heldTokens(email)),
      holdsAny: (datasource, email, tokens) => reader("groupClosure", (of) => of.holdsAny(datasource, email, tokens)),
      isParked: (datasource) => reader("groupClosure", (of) => of.isParked(datasource)),
    },
    catalogue: {
      ...projected("catalogue"),
      find: (name) => reader("catalogue", (of) => of.find(name)),
      list: () => reader("catalogue", (of) => of.list()),
    },
    credentials: {
      ...projected("credentials"),
      find: (id) => reader("credentials", (of) => of.find(id)),
      list: () => reader("credentials", (of) => of.list()),
    },
  };
}
