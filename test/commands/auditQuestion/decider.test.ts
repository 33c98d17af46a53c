import { expect } from "chai";
import { decide, evolve, initialState } from "../../../commands/auditQuestion/decider.js";
import { toEmail } from "../../../src/shared/ids.js";
import { ok } from "../../../src/shared/result.js";

const answered = { question: "what", about: { user: toEmail("ada@example.org") }, asOf: "12" } as const;
const event = { type: "AuditQuestionAnswered", data: answered } as const;

describe("the record of a question about the past", () => {
  const asked = evolve(initialState(), event);

  it("is made for every question, also for one that was asked before", () => {
    expect(decide({ answered, isLaterPage: false }, initialState())).to.deep.equal(ok([event]));
    expect(decide({ answered, isLaterPage: false }, asked)).to.deep.equal(ok([event]));
  });

  it("is not made again for a later page of the same answer", () => {
    expect(decide({ answered, isLaterPage: true }, asked)).to.deep.equal(ok([]));
  });

  it("is made for what says that it is a later page, and follows nothing of the kind", () => {
    expect(decide({ answered, isLaterPage: true }, initialState())).to.deep.equal(ok([event]));
    const other = { ...answered, about: { user: toEmail("bob@example.org") } };
    expect(decide({ answered: other, isLaterPage: true }, asked)).to.deep.equal(
      ok([{ type: "AuditQuestionAnswered", data: other }]),
    );
  });
});
