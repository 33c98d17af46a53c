import type { StreamCategory, StreamName } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import { readLog } from "./readLog.js";
import type { LogSource } from "./ports.js";
import { documentKey, keyOf, type Subject } from "./subjects.js";

/** Those whose events change what is compared. */
const categories: readonly StreamCategory[] = [
  "datasource",
  "groupGraph",
  "user",
  "document",
  "serviceAccount",
  "apiKey",
];

/**
 * What has happened since a comparison's position: whose answers may have been newer than what they were compared with.
 */
export class Touched {
  private readonly documents = new Set<string>();
  private readonly people = new Set<string>();
  private readonly datasources = new Set<string>();
  private readonly credentials = new Set<string>();
  private everyone = false;

  static async since(log: LogSource, after: Position, signal?: AbortSignal): Promise<Touched> {
    const touched = new Touched();
    for await (const events of readLog({ log, after, upTo: await log.head(), categories, signal })) {
      for (const { stream, event } of events) touched.note(stream, event.data);
    }
    return touched;
  }

  mayConcern(subject: Subject): boolean {
    const key = keyOf(subject);
    switch (subject.kind) {
      case "document":
        return this.documents.has(key) || this.datasources.has(subject.datasource);
      case "person":
        return this.everyone || this.people.has(key);
      case "datasource":
        return this.datasources.has(key);
      case "credential":
        return this.credentials.has(key);
    }
  }

  private note(stream: StreamName, data: object): void {
    const id = stream.slice(stream.indexOf("-") + 1);
    if (stream.startsWith("document-") && "datasource" in data && "documentId" in data)
      this.documents.add(documentKey(data.datasource as never, data.documentId as never));
    else if (stream.startsWith("user-")) this.people.add(id.slice(id.indexOf(":") + 1));
    else if (stream.startsWith("datasource-")) this.datasources.add(id);
    else this.credentials.add(id);
    this.everyone ||= stream.startsWith("datasource-") || stream.startsWith("groupGraph-");
  }
}
