import { match } from "ts-pattern";
import type { EventSource } from "../../events/eventSource.js";
import type { DocumentEvent } from "../../events/document.js";
import type { SessionStarted } from "../../events/session.js";
import { categoryOf, type StreamCategory, type StreamName } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import { readLog } from "./readLog.js";
import { documentKey, keyOf, type ExpectedSubject } from "./expectedSubjects.js";

/** The categories whose events change what is compared. */
const categories: readonly StreamCategory[] = [
  "datasource",
  "groupGraph",
  "groupMembers",
  "user",
  "document",
  "serviceAccount",
  "apiKey",
  "account",
  "session",
];

/**
 * What has happened since a comparison's position: whose answers may have been newer than what they were compared with.
 */
export class ChangedSince {
  private readonly documents = new Set<string>();
  private readonly people = new Set<string>();
  private readonly datasources = new Set<string>();
  private readonly credentials = new Set<string>();
  private everyone = false;
  private hasSignIns = false;

  static async since(log: EventSource, after: Position, signal?: AbortSignal): Promise<ChangedSince> {
    const touched = new ChangedSince();
    for await (const events of readLog({ log, after, upTo: await log.head(), categories, signal })) {
      for (const { stream, event } of events) touched.note(stream, event.data);
    }
    return touched;
  }

  mayConcern(subject: ExpectedSubject): boolean {
    const key = keyOf(subject);
    switch (subject.kind) {
      case "document":
        return this.documents.has(key) || this.datasources.has(subject.datasource);
      case "person":
        return this.everyone || this.people.has(key);
      case "group":
        return this.everyone;
      case "datasource":
        return this.datasources.has(key);
      case "credential":
        // A session that is started lets go of those that are over.
        return this.credentials.has(key) || (this.hasSignIns && subject.of === "session");
    }
  }

  private note(stream: StreamName, data: object): void {
    const id = stream.slice(stream.indexOf("-") + 1);
    match(categoryOf(stream))
      .with("document", () => {
        const { datasource, documentId } = data as DocumentEvent["data"];
        this.documents.add(documentKey(datasource, documentId));
      })
      .with("user", () => void this.people.add(id.slice(id.indexOf(":") + 1)))
      .with("datasource", () => {
        this.datasources.add(id);
        this.everyone = true;
      })
      .with("groupGraph", "groupMembers", () => {
        this.everyone = true;
      })
      .with("serviceAccount", "apiKey", () => void this.credentials.add(id))
      .with("account", () => void this.credentials.add(`account ${id}`))
      .with("session", () => {
        this.credentials.add(`session ${id}`);
        if (!("accountRevision" in data)) return;
        this.hasSignIns = true;
        this.credentials.add(`account ${(data as SessionStarted["data"]).email}`);
      })
      .with("projection", "auditQuestion", "syncRun", "file", "agent", "answer", () => undefined)
      .exhaustive();
  }
}
