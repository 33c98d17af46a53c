import { decide, evolve, initialState, type FileCommand } from "../../../commands/file/decider.js";
import type { FileEvent } from "../../../src/events/file.js";
import { events } from "../../support/examples.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import { bob } from "../../support/examples.js";

const given = deciderScenarios({ initialState, evolve, decide });
const { FileUploaded: uploaded, FileErased: erased } = events;
const { fileId, owner, content, text } = uploaded.data;
const because = (reason: "owner" | "expired" | "withdrawn", contents = [content, text]): FileEvent => ({
  type: "FileErased",
  data: { fileId, because: reason, contents },
});

describe("the decider of uploaded files", () => {
  const upload: FileCommand = { type: "UploadFile", uploaded: uploaded.data };

  it("uploaded: once", () => {
    given([]).when(upload).then([uploaded]);
    given([uploaded]).when(upload).thenNothing();
  });

  it("rejected: what it brought was withdrawn while it was under way", () =>
    given([because("withdrawn")])
      .when(upload)
      .thenRejected("TooMuchContention"));

  describe("EraseFile", () => {
    const erase = (by = owner): FileCommand => ({ type: "EraseFile", fileId, owner: by });

    it("erased: for its owner, bytes and text", () => given([uploaded]).when(erase()).then([erased]));

    it("erased: what is bytes and text at once, once", () => {
      const plain: FileEvent = { ...uploaded, data: { ...uploaded.data, text: content } };
      given([plain])
        .when(erase())
        .then([because("owner", [content])]);
    });

    it("rejected: somebody else's, an erased one and one that never was look alike", () => {
      given([uploaded]).when(erase(bob)).thenRejected({ type: "FileNotFound", id: fileId });
      given([uploaded, erased]).when(erase()).thenRejected({ type: "FileNotFound", id: fileId });
      given([]).when(erase()).thenRejected({ type: "FileNotFound", id: fileId });
    });
  });

  describe("ExpireFile", () => {
    const expire: FileCommand = { type: "ExpireFile", fileId };

    it("erased: whosever it is", () =>
      given([uploaded])
        .when(expire)
        .then([because("expired")]));

    it("repeated: another process was faster, or its owner", () => {
      given([uploaded, because("expired")])
        .when(expire)
        .thenNothing();
      given([uploaded, erased]).when(expire).thenNothing();
    });
  });

  describe("WithdrawFile", () => {
    const withdraw: FileCommand = { type: "WithdrawFile", fileId, content };

    it("erased: the content alone, where no upload has come, or it was erased before", () => {
      given([])
        .when(withdraw)
        .then([because("withdrawn", [content])]);
      given([uploaded, erased])
        .when(withdraw)
        .then([because("withdrawn", [content])]);
    });

    it("nothing: the upload has come", () => given([uploaded]).when(withdraw).thenNothing());
  });
});
