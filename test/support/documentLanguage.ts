import * as fc from "fast-check";
import type { DocumentAccess, DocumentIndexed } from "../../src/events/document.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toDocumentId, type DatasourceId, type DatasourceName } from "../../src/shared/ids.js";
import { accessHistories } from "./accessHistories.js";
import { eventsOn } from "./accessLanguage.js";
import type { RememberedTexts } from "./servedReadModels.js";

export interface DocumentWords {
  readonly title?: string;
  readonly text?: string;
  readonly access?: Partial<DocumentAccess>;
  readonly sub?: string | null;
  readonly childSub?: string | null;
}

type Incarnation = { readonly datasourceId: DatasourceId; readonly name: DatasourceName };

/** Says events about documents in few words. Who gives no access gives it to everyone registered. */
export const documentsIn = (texts: RememberedTexts) => ({
  indexed(
    incarnation: Incarnation,
    id: string,
    { title = id, text = `text of ${id}`, access, sub = null, childSub = null }: DocumentWords = {},
  ): DomainEvent {
    const data: DocumentIndexed["data"] = {
      datasourceId: incarnation.datasourceId,
      datasource: incarnation.name,
      documentId: toDocumentId(id),
      title,
      content: texts.remember(text),
      mimeType: "text/plain",
      size: text.length,
      fileType: "page",
      pathPreview: null,
      path: null,
      author: "Ada",
      lastModified: "2026-01-01T10:00:00.000Z",
      sub,
      childSub,
      access:
        access === undefined
          ? { anonymous: true, users: [], groups: [] }
          : { anonymous: false, users: [], groups: [], ...access },
      customProperties: [{ name: "colour", value: "blue" }],
      supersededContent: null,
      widenedToAnonymous: false,
    };
    return { type: "DocumentIndexed", data };
  },
  deleted({ datasourceId, name }: Incarnation, id: string): DomainEvent {
    return {
      type: "DocumentDeleted",
      data: {
        datasourceId,
        datasource: name,
        documentId: toDocumentId(id),
        supersededContent: { sha256: "", bytes: 0 },
      },
    };
  },
});

const documentStep = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("index", "index", "index", "delete", "addSub", "removeSub"),
  datasource: fc.nat(1),
  id: fc.constantFrom("one", "two", "three"),
  text: fc.constantFrom("harbour", "lighthouse", ""),
  group: fc.nat(5),
  who: fc.constantFrom("everyone", "person", "group", "nobody"),
});

type DocumentStep = typeof documentStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Histories of access with documents and subs among them. */
export const servedHistories = (texts: RememberedTexts): fc.Arbitrary<readonly DomainEvent[]> =>
  fc.tuple(accessHistories, fc.array(documentStep, { maxLength: 30 })).map(([history, steps]) => {
    const events: DomainEvent[] = [];
    const live: (Incarnation | undefined)[] = [];
    const waiting = steps.toSorted((a, b) => a.at - b.at);
    history.forEach((event, index) => {
      events.push(event);
      if (event.type === "DatasourceRegistered") live[event.data.name === "wiki" ? 0 : 1] = event.data;
      while (waiting[0] !== undefined && waiting[0].at * history.length <= index) {
        const step = waiting.shift() as DocumentStep;
        const incarnation = live[step.datasource];
        if (incarnation !== undefined) events.push(eventOf(step, incarnation, texts));
      }
    });
    return events;
  });

function eventOf(
  { kind, id, text, who, group }: DocumentStep,
  incarnation: Incarnation,
  texts: RememberedTexts,
): DomainEvent {
  const say = documentsIn(texts);
  const { datasourceId } = incarnation;
  if (kind === "addSub")
    return { type: "SubAdded", data: { datasourceId, name: "Sub", key: "sub", parentKey: null, subs: [] } };
  if (kind === "removeSub") return { type: "SubRemoved", data: { datasourceId, key: "sub", parentKey: null } };
  if (kind === "delete") return say.deleted(incarnation, id);
  const person = eventsOn("any").email("ada");
  const access = { everyone: undefined, person: { users: [person] }, group: { groups: [`g${group}`] }, nobody: {} }[
    who
  ];
  return say.indexed(incarnation, id, { text, access, sub: "sub" });
}
