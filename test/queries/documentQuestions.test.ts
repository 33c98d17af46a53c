import { expect } from "chai";
import type { CheckAccess, FindDocument } from "../../queries/queries.js";
import { toDatasourceName, toDocumentId } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { failed, ok } from "../../src/shared/result.js";
import { eventsOn } from "../support/accessLanguage.js";
import { tokens } from "../support/readModelWriters.js";
import { openQuestions, type Questions } from "./questions.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const staff = tokens.group(datasourceId, "staff");
const anonymous = tokens.anonymous(datasourceId);
const documentId = toDocumentId("page");

describe("questions about one document", () => {
  let questions: Questions;
  beforeEach(async () => {
    questions = openQuestions();
    await questions.happened([
      wiki.opened(),
      wiki.created("staff"),
      wiki.created("board"),
      wiki.nests("board", "staff"),
      wiki.registered("ann"),
      wiki.registered("bob"),
      wiki.joins("ann", "board"),
      wiki.joins("cid", "board"),
    ]);
    questions.search.put("wiki", "page", [staff]);
  });
  afterEach(() => questions.close());

  const checkAccess = (email: string, question: Partial<CheckAccess> = {}) =>
    questions.queries.checkAccess({
      datasource: wiki.datasource.name,
      documentId,
      email: wiki.email(email),
      atLeast: null,
      ...question,
    });
  const find = (email: string, question: Partial<FindDocument> = {}) =>
    questions.queries.findDocument({
      person: wiki.email(email),
      id: "wiki__page",
      includeText: false,
      atLeast: null,
      ...question,
    });

  describe("checkAccess", () => {
    it("follows groups through groups", async () => {
      expect(await checkAccess("ann")).to.deep.equal(ok({ hasAccess: true }));
      expect(await checkAccess("bob")).to.deep.equal(ok({ hasAccess: false }));
    });

    it("gives an anonymous document to every registered user, and to no one else", async () => {
      questions.search.put("wiki", "page", [anonymous]);
      expect(await checkAccess("bob")).to.deep.equal(ok({ hasAccess: true }));
      expect(await checkAccess("cid")).to.deep.equal(ok({ hasAccess: false }));
      expect(await checkAccess("nobody")).to.deep.equal(ok({ hasAccess: false }));
    });

    it("finds no unknown datasource and no document that is not in the index", async () => {
      expect(await checkAccess("ann", { datasource: toDatasourceName("files") })).to.deep.equal(
        failed({ type: "DatasourceNotFound", datasource: "files" }),
      );
      expect(await checkAccess("ann", { documentId: toDocumentId("other") })).to.deep.equal(
        failed({ type: "DocumentNotFound", id: "other" }),
      );
      await questions.happened([wiki.deleted()]);
      expect(await checkAccess("ann")).to.deep.equal(failed({ type: "DatasourceNotFound", datasource: "wiki" }));
    });

    it("opens nothing of an old incarnation to the next one of that name", async () => {
      const again = eventsOn("wiki", 2);
      await questions.happened([
        wiki.deleted(),
        again.opened(),
        again.created("staff"),
        again.registered("ann"),
        again.joins("ann", "staff"),
      ]);
      expect(await checkAccess("ann")).to.deep.equal(ok({ hasAccess: false }));
    });

    it("fails closed while the datasource is parked", async () => {
      await questions.happened([wiki.created("?")], { parked: true });
      expect(await checkAccess("ann")).to.deep.equal(failed({ type: "AccessUnavailable", datasource: "wiki" }));
    });

    it("waits for the consistency token, but not for ever", async () => {
      expect(await checkAccess("ann", { atLeast: questions.search.projectedUpTo })).to.deep.equal(
        ok({ hasAccess: true }),
      );
      const late = await checkAccess("ann", { atLeast: toPosition(1_000) });
      expect(late.ok ? null : late.error.type).to.equal("NotYetConsistent");
    });
  });

  describe("checkAccesses", () => {
    const check = (email: string, document = "page", datasource = "wiki") => ({
      datasource: toDatasourceName(datasource),
      documentId: toDocumentId(document),
      email: wiki.email(email),
    });

    it("answers each check as it is answered alone, in order, whatever becomes of the others", async () => {
      const checks = [
        check("ann"),
        check("ann", "other"),
        check("bob"),
        check("ann", "page", "files"),
        check("ann"),
        check("cid"),
      ];
      const alone = [];
      for (const one of checks) alone.push(await questions.queries.checkAccess({ ...one, atLeast: null }));
      expect(new Set(alone.map(({ ok: isAnswered }) => isAnswered)).size).to.equal(2);
      expect(await questions.queries.checkAccesses({ checks, atLeast: null })).to.deep.equal(ok(alone));
    });

    it("waits for the consistency token, but not for ever", async () => {
      const late = await questions.queries.checkAccesses({ checks: [check("ann")], atLeast: toPosition(1_000) });
      expect(late.ok ? null : late.error.type).to.equal("NotYetConsistent");
    });
  });

  describe("findDocument", () => {
    const details = () => questions.search.versions.get("wiki__page")?.details;

    it("gives metadata to who may see the document, and its text where asked for", async () => {
      expect(await find("ann")).to.deep.equal(ok({ details: details(), text: null }));
      expect(await find("ann", { includeText: true })).to.deep.equal(
        ok({ details: details(), text: { text: "text", parts: 1 } }),
      );
    });

    it("gives one answer for forbidden and for unknown", async () => {
      questions.search.put("wiki", "empty", []);
      for (const id of ["wiki__page", "wiki__other", "wiki__empty", "files__page", "page", "__page", "wiki__", ""]) {
        expect(await find("bob", { id })).to.deep.equal(failed({ type: "DocumentNotFound", id }));
      }
    });

    it("keeps ids with underscores whole", async () => {
      questions.search.put("wiki", "a__b", [anonymous]);
      expect((await find("bob", { id: "wiki__a__b" })).ok).to.equal(true);
    });

    it("hands out no text of a version that came between the reads and is hidden", async () => {
      questions.search.beforeText = () =>
        questions.search.put("wiki", "page", [], { text: "secret", indexedAt: "2026-01-02T00:00:00.000Z" });
      expect(await find("ann", { includeText: true })).to.deep.equal(
        failed({ type: "DocumentNotFound", id: "wiki__page" }),
      );
    });

    it("hands out text and metadata of one version", async () => {
      let version = 1;
      questions.search.beforeText = () => {
        if (version++ < 3)
          questions.search.put("wiki", "page", [staff], {
            text: `text ${version}`,
            title: `Title ${version}`,
            indexedAt: `2026-01-0${version}T00:00:00.000Z`,
          });
      };
      const found = await find("ann", { includeText: true });
      expect(found.ok && [found.value.details.title, found.value.text?.text]).to.deep.equal(["Title 3", "text 3"]);
    });

    it("gives the further parts of a text only of the version that was found, and to who may see it still", async () => {
      questions.search.put("wiki", "page", [staff], { text: "one\ntwo\nthree" });
      const found = await find("ann", { includeText: true });
      if (!found.ok) return expect.fail();
      expect(found.value.text).to.deep.equal({ text: "one\n", parts: 3 });
      const asked = { id: "wiki__page", details: found.value.details };
      const part = (name: string, number: number) =>
        questions.queries.findTextPart({ ...asked, person: wiki.email(name), part: number });
      expect(await part("ann", 2)).to.deep.equal(ok({ text: "three", parts: 3 }));
      const notFound = failed({ type: "DocumentNotFound", id: "wiki__page" });
      expect([await part("ann", 3), await part("bob", 1)]).to.deep.equal([notFound, notFound]);
      questions.search.put("wiki", "page", [staff], { text: "a\nb\nc", indexedAt: "2026-01-02T00:00:00.000Z" });
      expect(await part("ann", 1)).to.deep.equal(notFound);
    });

    it("fails closed while the datasource is parked", async () => {
      await questions.happened([wiki.created("?")], { parked: true });
      expect(await find("ann")).to.deep.equal(failed({ type: "AccessUnavailable", datasource: "wiki" }));
    });
  });
});
