import { expect } from "chai";
import { correctionsAsWritten } from "../../src/analysis/writtenForms.js";

const document = (title: string, text = "") => ({ title, text });

describe("corrections as they are written", () => {
  const loscher = [{ from: "lösher", to: "loscher" }];

  it("are spelled as the first document spells them that holds them, the way it does most often", () => {
    expect(
      correctionsAsWritten(loscher, [
        document("Other", "words"),
        document("LÖSCHER", "Ein Löscher und noch ein Löscher"),
        document("löscher löscher löscher"),
      ]),
    ).to.deep.equal([{ from: "lösher", to: "Löscher" }]);
  });

  it("stay folded where no document holds them", () => {
    expect(correctionsAsWritten(loscher, [])).to.deep.equal(loscher);
    expect(correctionsAsWritten(loscher, [document("Löschern", "Feuerlöscher")])).to.deep.equal(loscher);
  });

  it("are distinct, in their order", () => {
    const twice = [...loscher, { from: "lösher", to: "losche" }, ...loscher, { from: "losher", to: "loscher" }];
    expect(correctionsAsWritten(twice, [document("Löscher")])).to.deep.equal([
      { from: "lösher", to: "Löscher" },
      { from: "lösher", to: "losche" },
      { from: "losher", to: "Löscher" },
    ]);
  });
});
