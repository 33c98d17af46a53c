import { expect } from "chai";
import { readerOf } from "../../src/adapters/extraction/readers/readers.js";
import { fileFormats } from "../../src/cli/import/readFile.js";

describe("the formats of files that a folder's import sends", () => {
  for (const mimeType of fileFormats)
    it(`has a reader for ${mimeType}`, async () => expect(await readerOf(mimeType)).not.to.equal(null));
});
