import { expect } from "chai";
import { searchFileType } from "../../../projections/search/prepareDocuments.js";

const office = "application/vnd.openxmlformats-officedocument";

describe("the search file type", () => {
  const cases: readonly (readonly [fileType: string, mimeType: string, expected: string])[] = [
    ["markdown", "text/markdown", "txt"],
    ["webpage", "text/html", "html"],
    ["page", "text/html", "page"],
    ["content", "text/plain", "page"],
    ["blog", "text/html", "news"],
    ["timeline", "text/plain", "news"],
    ["email", "message/rfc822", "email"],
    ["email_parent", "text/plain", "email"],
    ["issue", "text/plain", "issue"],
    ["issue_parent", "text/plain", "issue"],
    ["wiki", "text/plain", "wiki"],
    ["wiki_parent", "text/plain", "wiki"],
    ["message", "text/plain", "message"],
    ["merge_request", "text/plain", "other"],
    ["merge_request_parent", "text/plain", "other"],
    ["directory", "inode/directory", "directory"],
    ["file", "application/pdf", "pdf"],
    ["asset", "application/pdf", "pdf"],
    ["file", `${office}.wordprocessingml.document`, "word"],
    ["file", "application/msword", "word"],
    ["file", "application/vnd.oasis.opendocument.text", "word"],
    ["file", `${office}.presentationml.slideshow`, "powerpoint"],
    ["file", "application/vnd.ms-powerpoint", "powerpoint"],
    ["file", `${office}.spreadsheetml.sheet`, "excel"],
    ["file", "application/vnd.ms-excel.sheet.macroEnabled.12", "excel"],
    ["file", "text/csv", "excel"],
    ["file", "text/plain", "txt"],
    ["file", "TEXT/HTML; charset=utf-8", "html"],
    ["file", "text/x-python", "txt"],
    ["file", "application/json", "txt"],
    ["file", "application/ld+json", "txt"],
    ["file", "application/atom+xml", "txt"],
    ["file", "application/javascript", "txt"],
    ["file", "application/x-yaml", "txt"],
    ["file", "application/xhtml+xml", "html"],
    ["file", "application/x-bzip", "compressed"],
    ["file", "application/zip", "compressed"],
    ["file", "application/gzip", "compressed"],
    ["asset", "image/svg+xml", "image"],
    ["file", "message/rfc822", "email"],
    ["file", "application/onenote", "onenote"],
    ["file", "application/octet-stream", "other"],
    ["file", "", "other"],
  ];
  for (const [fileType, mimeType, expected] of cases) {
    it(`of a ${fileType} of ${mimeType || "no media type"} is ${expected}`, () => {
      expect(searchFileType(fileType, mimeType)).to.equal(expected);
    });
  }
});
