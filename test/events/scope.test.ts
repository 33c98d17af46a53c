import { expect } from "chai";
import { formatScope, parseScope, type Scope } from "../../src/events/scope.js";
import { documentStream } from "../../src/events/streams.js";
import { toDatasourceId, toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";

const datasourceId = toDatasourceId("wiki-1");
const documentId = toDocumentId("a: b\nc-d ");

const scopes: readonly (readonly [string, Scope])[] = [
  ["document-wiki-1:a: b\nc-d ", { kind: "stream", stream: documentStream(datasourceId, documentId) }],
  ["datasource wiki-1", { kind: "datasource", datasourceId }],
  ["all datasources", { kind: "all datasources" }],
  ["registrations wiki", { kind: "registrations", name: toDatasourceName("wiki") }],
  ["groups wiki-1", { kind: "groups", datasourceId }],
  ["person wiki-1:ann@example.org", { kind: "person", datasourceId, email: toEmail("ann@example.org") }],
  ["document wiki-1:a: b\nc-d ", { kind: "document", datasourceId, documentId }],
  ["events", { kind: "events" }],
];

describe("a scope", () => {
  for (const [text, scope] of scopes) {
    it(`is stored and read as ${JSON.stringify(text)}`, () => {
      expect(formatScope(scope)).to.equal(text);
      expect(parseScope(text)).to.deep.equal(scope);
    });
  }

  it("is nothing else", () => {
    for (const text of ["", "person ada@example.org", "document", "planet earth", "planet-earth", "groups"])
      expect(parseScope(text), text).to.equal(null);
  });
});
