import { expect } from "chai";
import { correctionsAsWritten } from "../../src/analysis/writtenForms.js";

const document = (title: string, text = "") => ({ title, text });

describe("corrections as they are written", () => {
  const loscher = [{ from: "lösher", to: "loscher" }];

  it("are spelled as these documents spell them most often, of equals as the first does", () => {
    const documents = [
      document("Other", "words"),
      document("LÖSCHER", "Ein Löscher und noch ein Löscher"),
      document("löscher löscher löscher"),
    ];
    expect(correctionsAsWritten(loscher, documents)).to.deep.equal([{ from: "lösher", to: "löscher" }]);
    expect(correctionsAsWritten(loscher, [...documents, document("Löscher")])).to.deep.equal([
      { from: "lösher", to: "Löscher" },
    ]);
  });

  it("are written with what joins their words, and left out where nobody writes them", () => {
    const joined = [{ from: "badenwürtemberg", to: "badenwurttemberg" }];
    expect(correctionsAsWritten(joined, [document("Büros", "in Baden-Württemberg")])).to.deep.equal([
      { from: "badenwürtemberg", to: "Baden-Württemberg" },
    ]);
    const version = [{ from: "1·2", to: "v1·2·3" }];
    expect(correctionsAsWritten(version, [document("Stand v1.2.3")])).to.deep.equal([{ from: "1·2", to: "v1.2.3" }]);
    expect(correctionsAsWritten(version, [])).to.deep.equal([]);
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
