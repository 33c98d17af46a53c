import { expect } from "chai";
import { pptx } from "../../../support/files/office.js";
import { readText } from "../../../support/files/readings.js";

describe("presentations", () => {
  it("are read slide by slide, in the order in which they are shown, with their notes and without their numbers", async () => {
    const { text, facts } = await readText(
      pptx([{ shapes: ["First", "one\ntwo &amp; three"], notes: "Say hello" }, { shapes: ["Second"] }, { shapes: [] }]),
    );
    expect(text).to.equal("First\none\ntwo & three\nSay hello\nSecond\n");
    expect(facts).to.deep.equal({
      mimeType: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      pageCount: 3,
    });
  });
});
