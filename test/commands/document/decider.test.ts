import { expect } from "chai";
import { decide, evolve, initialState, type DocumentCommand } from "../../../commands/document/decider.js";
import { indexOutcome } from "../../../commands/document/documentCommands.js";
import type { DocumentText, DocumentWithText } from "../../../commands/document/indexing.js";
import type { DocumentSchemaError } from "../../../commands/rejection.js";
import type { Datasource } from "../../../src/events/datasource.js";
import type { DocumentEvent, DocumentIndexed } from "../../../src/events/document.js";
import { documentStream } from "../../../src/events/streams.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import {
  alice,
  bob,
  commands,
  datasourceId,
  events,
  handbook,
  welcome,
  wiki,
  wikiDatasource,
} from "../../support/examples.js";

const given = deciderScenarios({ initialState, evolve, decide });
const { DocumentIndexed: indexed, DocumentDeleted: deleted } = events;
const toDocument = (change: Partial<DocumentWithText>): DocumentWithText => ({ ...commands.indexDocument, ...change });
const index = (change: Partial<DocumentWithText> = {}, datasource: Datasource = wikiDatasource): DocumentCommand => ({
  type: "IndexDocument",
  datasource,
  document: toDocument(change),
});
const remove: DocumentCommand = { type: "DeleteDocument", datasourceId, datasource: wiki, documentId: handbook };
const version = (change: Partial<DocumentIndexed["data"]>): DocumentIndexed => ({
  type: "DocumentIndexed",
  data: { ...indexed.data, ...change },
});
const text = (value: string, mimeType = "text/plain"): DocumentText => ({
  kind: "text",
  text: value,
  mimeType,
  size: value.length,
});
const later = "2024-05-02T10:00:00Z";
const everybody = { anonymous: true, users: [], groups: [] };
const closed: Datasource = { ...wikiDatasource, defaultAccess: "nobody" };

const violation = (
  change: Partial<DocumentWithText>,
  datasource: Datasource = wikiDatasource,
): { code: DocumentSchemaError; message: string } => {
  const decision = decide(index(change, datasource), null);
  if (decision.ok || decision.error.type !== "DocumentSchemaViolation")
    return expect.fail(`Not refused: ${JSON.stringify(change)}`);
  return { code: decision.error.code, message: decision.error.message };
};
const codeOf = (change: Partial<DocumentWithText>, datasource: Datasource = wikiDatasource) =>
  violation(change, datasource).code;
const outcomeOf = (
  change: Partial<DocumentWithText>,
  history: readonly DocumentEvent[] = [],
  datasource: Datasource = wikiDatasource,
) => {
  const state = history.reduce(evolve, initialState());
  const decision = decide(index(change, datasource), state);
  return decision.ok
    ? indexOutcome(toDocument(change), datasource, state, { events: decision.value })
    : expect.fail(decision.error.type);
};

describe("the decider of documents", () => {
  describe("WithdrawText", () => {
    const reference = { sha256: "f".repeat(64), bytes: 7 };
    const withdraw = (what = reference): DocumentCommand => ({
      type: "WithdrawText",
      text: { stream: documentStream(datasourceId, handbook), datasource: wiki, reference: what },
    });
    const withdrawal: DocumentEvent = {
      type: "DocumentDeleted",
      data: { ...deleted.data, supersededContent: reference },
    };

    it("deleted: where there is no document, so that the text is superseded by something", () => {
      given([]).when(withdraw()).then([withdrawal]);
      given([indexed, deleted]).when(withdraw()).then([withdrawal]);
    });

    it("indexed: as it was, where it has another text", () => {
      given([indexed])
        .when(withdraw())
        .then([version({ supersededContent: reference })]);
      given([indexed, version({ widenedToAnonymous: true })])
        .when(withdraw())
        .then([version({ supersededContent: reference })]);
    });

    it("nothing: where the document has this text by now", () => {
      given([indexed]).when(withdraw(indexed.data.content)).then([]);
    });
  });

  describe("IndexDocument", () => {
    it("indexed: the whole state in one event", () => {
      given([]).when(index()).then([indexed]);
    });

    it("indexed: without permissions for every registered user, with empty ones for nobody", () => {
      given([])
        .when(index({ access: null }))
        .then([version({ access: { ...everybody, isDefault: true } })]);
      const nobody = { anonymous: false, users: [], groups: [] };
      given([])
        .when(index({ access: nobody }))
        .then([version({ access: nobody })]);
    });

    it("indexed: the access list distinct and sorted", () => {
      const access = { anonymous: false, users: [bob, alice, bob], groups: ["z", "a", "z"] };
      given([])
        .when(index({ access }))
        .then([version({ access: { anonymous: false, users: [alice, bob], groups: ["a", "z"] } })]);
    });

    it("indexed: again after it was deleted", () => {
      given([indexed, deleted]).when(index()).then([indexed]);
      given([indexed, deleted])
        .when(index({ access: null }))
        .then([version({ access: { ...everybody, isDefault: true } })]);
    });

    it("indexed: another instant of last_modified replaces the whole document, older ones too", () => {
      for (const lastModified of [later, "2001-01-01T00:00:00Z", null])
        given([indexed])
          .when(index({ lastModified }))
          .then([version({ lastModified })]);
    });

    it("indexed: always, where one of both versions has no last_modified", () => {
      given([version({ lastModified: null })])
        .when(index())
        .then([indexed]);
      given([version({ lastModified: null })])
        .when(index({ lastModified: null }))
        .then([version({ lastModified: null })]);
    });

    it("indexed: any change of the access list", () => {
      const { access } = indexed.data;
      for (const change of [
        { anonymous: true },
        { users: [] },
        { users: [alice, bob] },
        { groups: ["Staff"] },
        { groups: ["staff", "x"] },
      ]) {
        const changed = { ...access, ...change };
        given([indexed])
          .when(index({ access: changed }))
          .then([version({ access: changed, widenedToAnonymous: changed.anonymous })]);
      }
    });

    it("indexed: names the text that it replaces, unless it is the same", () => {
      const old = { sha256: "old", bytes: 3 };
      given([version({ content: old })])
        .when(index({ lastModified: later }))
        .then([version({ lastModified: later, supersededContent: old })]);
      given([indexed])
        .when(index({ lastModified: later }))
        .then([version({ lastModified: later, supersededContent: null })]);
      given([version({ content: old }), deleted])
        .when(index())
        .then([version({ supersededContent: null })]);
    });

    it("indexed: names a text by its UTF-8 bytes", () => {
      const sha256 = "6b3a870ed6b97a741e071b56afdc256266bdebcd01572cb1d84a9b5fcb7ef11c";
      given([])
        .when(index({ body: text("größer\u{1f600}") }))
        .then([version({ size: 8, content: { sha256, bytes: 12 } })]);
    });

    it("takes what the text is known by from whoever has computed it", () => {
      const content = { sha256: "computed elsewhere", bytes: 8 };
      const body: DocumentText = { kind: "text", text: "computed", mimeType: "text/plain", size: 8, content };
      given([])
        .when(index({ body }))
        .then([version({ mimeType: "text/plain", size: 8, content })]);
    });

    it("indexed: records that a restricted document became visible to everybody", () => {
      given([indexed])
        .when(index({ access: null }))
        .then([version({ access: { ...everybody, isDefault: true }, widenedToAnonymous: true })]);
      given([version({ access: everybody })])
        .when(index())
        .then([indexed]);
      given([version({ access: everybody })])
        .when(index({ access: null, lastModified: later }))
        .then([version({ access: { ...everybody, isDefault: true }, lastModified: later })]);
    });

    it("indexed: without permissions for whom the datasource says, and again where it says otherwise since", () => {
      const nobody = { anonymous: false, users: [], groups: [], isDefault: true } as const;
      given([])
        .when(index({ access: null }, closed))
        .then([version({ access: nobody })]);
      given([version({ access: { ...everybody, isDefault: true } })])
        .when(index({ access: null }, closed))
        .then([version({ access: nobody })]);
      given([version({ access: nobody })])
        .when(index({ access: null }, closed))
        .thenNothing();
      given([version({ access: nobody })])
        .when(index({ access: null }))
        .then([version({ access: { ...everybody, isDefault: true }, widenedToAnonymous: true })]);
    });

    it("repeated: same instant and same access, whatever else was edited", () => {
      given([indexed]).when(index()).thenNothing();
      given([indexed])
        .when(index({ title: "Edited", body: text("edited"), customProperties: [], sub: null, childSub: null }))
        .thenNothing();
      given([indexed])
        .when(index({ lastModified: "2024-05-01T12:00:00.000+02:00" }))
        .thenNothing();
      given([version({ access: { anonymous: false, users: [alice, bob], groups: [] } })])
        .when(index({ access: { anonymous: false, users: [bob, alice, alice], groups: [] } }))
        .thenNothing();
    });

    it("skipped: the computed file suffix is longer than 10 characters", () => {
      for (const mimeType of [
        "application/x-unheard-of",
        "application/abcdefghijk",
        "application/vnd.acme+json; charset=utf-8",
      ]) {
        given([])
          .when(index({ body: text("x", mimeType) }))
          .thenNothing();
        given([indexed])
          .when(index({ body: text("x", mimeType), lastModified: later }))
          .thenNothing();
      }
      const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
      const withoutExtension = [
        "application/vnd.ms-tnef",
        "application/vnd.ms-visio.drawing",
        "APPLICATION/VND.MS-TNEF",
      ];
      for (const mimeType of [docx, "application/abcdefghij", "text/html; charset=utf-8", ...withoutExtension]) {
        given([])
          .when(index({ body: text("Welcome.", mimeType) }))
          .then([version({ mimeType })]);
      }
    });

    it("skipped: no text could be extracted", () => {
      const body = { kind: "unextractable", reason: "The file is encrypted.", mimeType: "application/pdf" } as const;
      given([]).when(index({ body })).thenNothing();
      given([indexed])
        .when(index({ body, lastModified: later }))
        .thenNothing();
    });
  });

  describe("what the client is told", () => {
    it("sent, and where access was widened, that it was", () => {
      expect(outcomeOf({})).to.deep.equal({
        documentId: handbook,
        outcome: "sent",
        message: "document sent to the indexing pipeline.",
      });
      expect(outcomeOf({ access: null }, [indexed])).to.deep.equal({
        documentId: handbook,
        outcome: "sent",
        message:
          "document sent to the indexing pipeline. It was restricted before; now every user registered on the datasource can see it.",
      });
    });

    it("sent, and that nobody sees it where neither the document nor the datasource says who may", () => {
      expect(outcomeOf({ access: null }, [], closed).message).to.match(/^document sent .* nobody sees it\.$/);
      expect(outcomeOf({ access: everybody }, [], closed).message).to.equal("document sent to the indexing pipeline.");
    });

    it("already_indexed, before the body is looked at", () => {
      expect(outcomeOf({}, [indexed]).outcome).to.equal("already_indexed");
      expect(outcomeOf({ body: text("x", "application/x-unheard-of") }, [indexed]).outcome).to.equal("already_indexed");
    });

    it("skipped, with the reason", () => {
      const body = { kind: "unextractable", reason: "The file is encrypted.", mimeType: "application/pdf" } as const;
      expect(outcomeOf({ body })).to.deep.equal({
        documentId: handbook,
        outcome: "skipped",
        message: "The file is encrypted.",
      });
      expect(outcomeOf({ body, lastModified: later }, [indexed]).message).to.equal(
        "The file is encrypted. The version indexed before stays.",
      );
      expect(outcomeOf({ body: text("x", "application/x-unheard-of") }).message).to.contain('"x-unheard-of"');
    });
  });

  describe("IndexDocument rejected", () => {
    const bare: Datasource = { ...wikiDatasource, subs: [], objectDefinitions: [] };
    const plain = { sub: null, childSub: null, customProperties: [] };

    it("NO_PROPERTY_DEFINITIONS: there are none, and the document sends some", () => {
      expect(codeOf({ ...plain, customProperties: [{ name: "team", value: "x" }] }, bare)).to.equal(
        "NO_PROPERTY_DEFINITIONS",
      );
      given([])
        .when(index(plain, bare))
        .then([version(plain)]);
    });

    it("UNKNOWN_PROPERTY: the message lists the names that there are", () => {
      const { code, message } = violation({
        customProperties: [
          { name: "team", value: "x" },
          { name: "Team", value: "x" },
        ],
      });
      expect(code).to.equal("UNKNOWN_PROPERTY");
      expect(message).to.contain('"Team"').and.to.contain('"team", "rating", "due", "reviewed"');
    });

    it("UNKNOWN_PROPERTY: names that every object has are no properties", () => {
      for (const name of ["__proto__", "constructor", "toString"])
        expect(codeOf({ customProperties: [{ name, value: "x" }] })).to.equal("UNKNOWN_PROPERTY");
    });

    it("INVALID_PROPERTY_TYPE: the value is not of the declared type", () => {
      const accepted = {
        team: ["", "x"],
        rating: [0, -1.5, Number.MAX_SAFE_INTEGER + 1, -1e300],
        due: [1714564800, 0.5, -8.64e12, 8.64e12, "2024-02-29", "2024-05-01T10:00:00+02:00"],
        reviewed: [true, false],
      };
      const refused = {
        team: [1, true, null, ["x"], {}],
        rating: ["1", true, null, Number.NaN, Number.POSITIVE_INFINITY],
        due: [
          "2024-02-30",
          "yesterday",
          "",
          true,
          null,
          Number.NaN,
          1e300,
          8.64e12 + 1,
          -8.64e12 - 1,
          1_714_564_800_000_000,
        ],
        reviewed: ["true", 1, 0, null],
      };
      for (const [name, values] of Object.entries(accepted)) {
        for (const value of values)
          given([])
            .when(index({ customProperties: [{ name, value }] }))
            .then([version({ customProperties: [{ name, value }] })]);
      }
      for (const [name, values] of Object.entries(refused)) {
        for (const value of values as readonly unknown[])
          expect(codeOf({ customProperties: [{ name, value }] }), `${name}: ${String(value)}`).to.equal(
            "INVALID_PROPERTY_TYPE",
          );
      }
      expect(violation({ customProperties: [{ name: "due", value: 1e300 }] }).message).to.match(/, not this number\.$/);
      expect(violation({ customProperties: [{ name: "team", value: 1 }] }).message).to.match(/, not a number\.$/);
      expect(violation({ customProperties: [{ name: "due", value: "2024-02-30" }] }).message)
        .to.contain('"due"')
        .and.not.to.contain("2024-02-30");
    });

    it("INVALID_DATA_SOURCE_SUB: not a top-level key", () => {
      expect(violation({ sub: "x", childSub: null }).message).to.contain('"guides", "policies"');
      expect(codeOf({ sub: "onboarding", childSub: null })).to.equal("INVALID_DATA_SOURCE_SUB");
      expect(codeOf({ ...plain, sub: "guides" }, bare)).to.equal("INVALID_DATA_SOURCE_SUB");
    });

    it("INVALID_DATA_SOURCE_SUB: a child's key where the datasource declares no subs", () => {
      expect(codeOf({ ...plain, childSub: "onboarding" }, bare)).to.equal("INVALID_DATA_SOURCE_SUB");
    });

    it("INVALID_DATA_SOURCE_SUB_SUB: not a child of the given sub, or of any", () => {
      expect(violation({ sub: "policies", childSub: "onboarding" })).to.deep.equal({
        code: "INVALID_DATA_SOURCE_SUB_SUB",
        message: 'data_source_sub_sub "onboarding" is not a child of sub "policies". Valid keys: "archive".',
      });
      expect(codeOf({ sub: null, childSub: "guides" })).to.equal("INVALID_DATA_SOURCE_SUB_SUB");
      expect(codeOf({ sub: null, childSub: "x" })).to.equal("INVALID_DATA_SOURCE_SUB_SUB");
    });

    it("AMBIGUOUS_DATA_SOURCE_SUB_SUB: the key exists under several parents", () => {
      const { code, message } = violation({ sub: null, childSub: "archive" });
      expect(code).to.equal("AMBIGUOUS_DATA_SOURCE_SUB_SUB");
      expect(message).to.contain('"guides", "policies"');
      given([])
        .when(index({ sub: "policies", childSub: "archive" }))
        .then([version({ sub: "policies", childSub: "archive" })]);
    });

    it("not at all where the parent of a child's key can be inferred", () => {
      given([])
        .when(index({ sub: null, childSub: "onboarding" }))
        .then([version({ sub: "guides", childSub: "onboarding" })]);
    });

    it("first for its properties, then for its subs, and before it is found to be indexed", () => {
      const both = { customProperties: [{ name: "x", value: 1 }], sub: "x" };
      given([]).when(index(both)).thenRejected("DocumentSchemaViolation");
      expect(codeOf(both)).to.equal("UNKNOWN_PROPERTY");
      given([indexed])
        .when(index({ sub: "x" }))
        .thenRejected("DocumentSchemaViolation");
    });
  });

  describe("DeleteDocument", () => {
    it("deleted: names the text to be erased", () => {
      given([indexed]).when(remove).then([deleted]);
      given([version({ content: { sha256: "old", bytes: 3 } }), version({ content: welcome })])
        .when(remove)
        .then([deleted]);
    });

    it("repeated: there is none, or no longer", () => {
      given([]).when(remove).thenNothing();
      given([indexed, deleted]).when(remove).thenNothing();
    });
  });
});
