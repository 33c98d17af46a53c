import { expect } from "chai";
import { checkDocumentsBody, IllShapedDocument, documentFaults } from "../../src/api/documentMessage.js";
import type { Issue } from "../../src/http/validation/issue.js";

const document = {
  datasource: "handbook",
  id: "travel.md",
  title: "Travel",
  body: { mime_type: "text/plain", text_content: "Send receipts." },
  file_type: "markdown",
};
const maxBinaryBytes = 9;

/** `loc` without its first part, joined; and the type. */
const found = (issues: readonly Issue[]): string[] =>
  issues.map(({ loc, type }) => `${loc.slice(1).join(".")} ${type}`);
const issuesOf = (documents: unknown): string[] => {
  const outcome = checkDocumentsBody({ documents });
  return outcome.ok ? [] : found(outcome.error);
};
/** What is wrong with each document of an array. */
const issuesOfEach = (documents: unknown): readonly (readonly string[])[] => {
  const outcome = checkDocumentsBody({ documents });
  if (!outcome.ok || outcome.value.form !== "array") throw new Error("An array is refused document by document.");
  return outcome.value.documents.map((one) =>
    one instanceof IllShapedDocument ? one.issues.map(({ loc, type }) => `${loc.join(".")} ${type}`) : [],
  );
};
const issuesWith = (fields: object): string[] => issuesOf({ ...document, ...fields });
/** What is wrong with the values of a document whose shape is right. */
const faultsWith = (fields: object): string[] => {
  const outcome = checkDocumentsBody({ documents: { ...document, ...fields } });
  if (!outcome.ok || outcome.value.form !== "single") throw new Error("The shape is right.");
  const rules = { maxBinaryBytes, mayBeUnstorable: true };
  return documentFaults(outcome.value.document, rules).map(({ loc, type }) => `${loc.join(".")} ${type}`);
};

describe("the body of POST /documents", () => {
  it("is one document or an array of them", () => {
    expect(checkDocumentsBody({ documents: document })).to.deep.equal({
      ok: true,
      value: { form: "single", document },
    });
    expect(checkDocumentsBody({ documents: [document] })).to.deep.equal({
      ok: true,
      value: { form: "array", documents: [document] },
    });
    expect(checkDocumentsBody({ documents: [] })).to.deep.equal({
      ok: true,
      value: { form: "array", documents: [] },
    });
  });

  it("is an object that holds documents", () => {
    for (const body of [null, 1, "x", [], [document]]) {
      expect(checkDocumentsBody(body)).to.deep.nested.include({
        "error[0].type": "model_attributes_type",
      });
    }
    expect(issuesOf(undefined)).to.deep.equal(["documents missing"]);
    for (const documents of [null, 1, "x"])
      expect(issuesOf(documents)).to.deep.equal(["documents model_attributes_type"]);
  });

  it("names every required field that is not there, of an array document by document", () => {
    const required = ["datasource", "id", "title", "body", "file_type"];
    expect(issuesOf({})).to.deep.equal(required.map((field) => `documents.${field} missing`));
    expect(issuesOfEach([document, {}, document])).to.deep.equal([[], required.map((field) => `${field} missing`), []]);
    for (const element of [null, 1, "x", [], [document]])
      expect(issuesOfEach([element, document]), JSON.stringify(element)).to.deep.equal([
        Array.isArray(element) ? required.map((field) => `${field} missing`) : [" model_attributes_type"],
        [],
      ]);
  });

  it("keeps the id of an ill-shaped document, and knows whether it is one", () => {
    const ids = ["travel.md", "a/b", "", "a".repeat(201), 7, null];
    const outcome = checkDocumentsBody({ documents: ids.map((id) => ({ id })) });
    if (!outcome.ok || outcome.value.form !== "array") throw new Error("An array is refused document by document.");
    expect(outcome.value.documents.map((one) => [one.id, (one as IllShapedDocument).isNamed])).to.deep.equal([
      ["travel.md", true],
      ["a/b", false],
      ["", false],
      ["", false],
      ["", false],
      ["", false],
    ]);
  });

  it("takes null for an optional field as left out", () => {
    const optional = [
      "path_preview",
      "path",
      "author",
      "last_modified",
      "data_source_sub",
      "data_source_sub_sub",
      "custom_properties",
      "permissions",
    ];
    expect(issuesWith(Object.fromEntries(optional.map((field) => [field, null])))).to.deep.equal([]);
    const permissions = { allow_anonymous_access: null, allowed_users: null, allowed_groups: null };
    expect(issuesWith({ permissions })).to.deep.equal([]);
  });

  it("ignores keys that it does not know", () => {
    expect(issuesWith({ colour: "red", body: { ...document.body, size: "large" } })).to.deep.equal([]);
  });

  const misspelt = ["permission", "Permissions", "PERMISSIONS", "permisions", "premissions", "permissons", "permssion"];
  for (const key of misspelt) {
    it(`refuses ${key}, which would open the document to everybody`, () => {
      const outcome = checkDocumentsBody({ documents: { ...document, [key]: {} } });
      const [issue] = outcome.ok ? [] : outcome.error;
      expect(issue?.loc).to.deep.equal(["body", "documents", key]);
      expect(issue).to.include({
        type: "extra_forbidden",
        msg: "Extra inputs are not permitted: did you mean permissions?",
      });
      expect(issuesOfEach([document, { ...document, [key]: null }])).to.deep.equal([[], [`${key} extra_forbidden`]]);
    });
  }

  it("refuses permissions beside the documents and inside a body", () => {
    for (const documents of [document, [document]]) {
      const outcome = checkDocumentsBody({ documents, permissions: {} });
      expect(outcome.ok ? [] : found(outcome.error)).to.deep.equal(["permissions extra_forbidden"]);
    }
    expect(issuesWith({ body: { ...document.body, Permissions: {} } })).to.deep.equal([
      "documents.body.Permissions extra_forbidden",
    ]);
  });

  it("refuses unknown keys inside permissions and allowed_users, which would grant nobody in silence", () => {
    const outcome = checkDocumentsBody({ documents: { ...document, permissions: { groups: ["hr"] } } });
    expect(outcome.ok ? [] : outcome.error.map(({ msg }) => msg)).to.deep.equal([
      "Extra inputs are not permitted: known are allow_anonymous_access, allowed_users, allowed_groups",
    ]);
    expect(
      issuesWith({ permissions: { allowed_group: ["hr"], allowed_users: [{ email: "a@x", mail: "b@x" }] } }),
    ).to.deep.equal([
      "documents.permissions.allowed_group extra_forbidden",
      "documents.permissions.allowed_users.0.mail extra_forbidden",
    ]);
    const typed = checkDocumentsBody({ documents: { ...document, permissions: { allowed_group: [] } } });
    expect(typed.ok ? "" : typed.error[0]?.msg).to.contain("did you mean allowed_groups?");
  });

  const wrongTypes: readonly (readonly [string, unknown, string])[] = [
    ["datasource", 1, "string_type"],
    ["title", null, "string_type"],
    ["title", ["Travel"], "string_type"],
    ["body", "text", "model_attributes_type"],
    ["file_type", "pdf", "enum"],
    ["file_type", 7, "enum"],
    ["permissions", [], "model_attributes_type"],
    ["custom_properties", {}, "list_type"],
    ["custom_properties", Array.from({ length: 257 }, () => ({ name: "a", value: 1 })), "too_long"],
  ];
  for (const [field, value, type] of wrongTypes) {
    it(`says ${type} where ${field} is ${JSON.stringify(value).slice(0, 20)}`, () => {
      expect(issuesWith({ [field]: value })).to.deep.equal([`documents.${field} ${type}`]);
    });
  }

  const lengths: readonly (readonly [string, number])[] = [
    ["datasource", 64],
    ["id", 200],
    ["title", 1_024],
    ["path", 2_048],
    ["path_preview", 2_048],
    ["author", 512],
  ];
  for (const [field, longest] of lengths) {
    it(`lets ${field} have ${longest} characters and no more`, () => {
      expect(issuesWith({ [field]: "a".repeat(longest) })).to.deep.equal([]);
      expect(issuesWith({ [field]: "a".repeat(longest + 1) })).to.deep.equal([`documents.${field} string_too_long`]);
    });
  }

  it("counts characters as JSON Schema does: an emoji is one, however many units it takes", () => {
    for (const [field, longest] of [
      ["title", 1_024],
      ["path", 2_048],
      ["author", 512],
    ] as const) {
      expect(issuesWith({ [field]: "😀".repeat(longest) }), field).to.deep.equal([]);
      expect(issuesWith({ [field]: "😀".repeat(longest + 1) }), field).to.deep.equal([
        `documents.${field} string_too_long`,
      ]);
      expect(issuesWith({ [field]: `${"a".repeat(longest)}😀` }), field).to.deep.equal([
        `documents.${field} string_too_long`,
      ]);
    }
    const withValue = (value: string): string[] => faultsWith({ custom_properties: [{ name: "note", value }] });
    expect(withValue("😀".repeat(8_192))).to.deep.equal([]);
    expect(withValue("😀".repeat(8_193))).to.deep.equal(["custom_properties.0.value string_too_long"]);
  });

  it("takes ids of letters, digits, hyphen, underscore and dot, that lead nowhere else", () => {
    for (const id of ["a", "A-b_c.9", ".hidden", "-", "a.b.c", "a..b", "...", "..a", ".a", "....", "a."])
      expect(issuesWith({ id }), id).to.deep.equal([]);
    for (const id of ["", ".", "..", "../a", "a/b", "a b", "ä", "a\n", "a%2e"]) {
      expect(issuesWith({ id }), id).to.deep.equal(["documents.id string_pattern_mismatch"]);
    }
  });

  it("takes media types with parameters, and nothing that is none", () => {
    const withType = (mime_type: unknown): string[] => issuesWith({ body: { mime_type, text_content: "" } });
    for (const type of [
      "text/plain",
      "text/html; charset=utf-8",
      "application/vnd.ms-excel.sheet.macroEnabled.12",
      "Image/SVG+xml ;a",
    ])
      expect(withType(type), type).to.deep.equal([]);
    for (const type of ["", "text", "/plain", "text/", "text/plain, text/html", "te xt/plain"])
      expect(withType(type), type).to.deep.equal(["documents.body.mime_type string_pattern_mismatch"]);
  });

  it("takes a property once in a document", () => {
    const owner = { name: "owner", value: "Ada" };
    expect(faultsWith({ custom_properties: [owner, { name: "Owner", value: "Ada" }] })).to.deep.equal([]);
    expect(faultsWith({ custom_properties: [owner, { name: "due", value: 1 }, owner] })).to.deep.equal([
      "custom_properties.2.name value_error",
    ]);
  });

  it("refuses a blank email like an empty one", () => {
    for (const email of ["", " ", "\t\n", "\u0085", "\u00a0"])
      expect(issuesWith({ permissions: { allowed_users: [{ email }] } }), JSON.stringify(email)).to.deep.equal([
        "documents.permissions.allowed_users.0.email string_too_short",
      ]);
  });

  it("wants exactly one of text and binary", () => {
    const withBody = (fields: object): string[] => issuesWith({ body: { mime_type: "text/plain", ...fields } });
    expect(withBody({})).to.deep.equal(["documents.body value_error"]);
    expect(withBody({ text_content: null, binary_base64: null })).to.deep.equal(["documents.body value_error"]);
    expect(withBody({ text_content: "", binary_base64: "" })).to.deep.equal(["documents.body value_error"]);
    expect(withBody({ text_content: "" })).to.deep.equal([]);
    expect(withBody({ binary_base64: "", text_content: null })).to.deep.equal([]);
  });

  it("wants standard Base64, and no more of it than is allowed once decoded", () => {
    const withBinary = (binary_base64: string): string[] =>
      faultsWith({ body: { mime_type: "text/plain", binary_base64 } });
    expect(withBinary(Buffer.alloc(maxBinaryBytes).toString("base64"))).to.deep.equal([]);
    expect(withBinary(Buffer.alloc(maxBinaryBytes + 1).toString("base64"))).to.deep.equal([
      "body.binary_base64 bytes_too_long",
    ]);
    for (const binary of ["QQ", "QQ=", "QR==", "Q-_=", "Q Q=", "====", "Qä=="])
      expect(withBinary(binary), binary).to.deep.equal(["body.binary_base64 value_error"]);
    for (const binary of ["QUJD\r\nREVG\r\n", "QU\nJD", "QQ\n=="]) expect(withBinary(binary), binary).to.deep.equal([]);
  });

  it("says at which place Base64 is wrong", () => {
    const told = (binary_base64: string): string | undefined => {
      const outcome = checkDocumentsBody({
        documents: { ...document, body: { mime_type: "text/plain", binary_base64 } },
      });
      if (!outcome.ok || outcome.value.form !== "single") throw new Error("The shape is right.");
      return documentFaults(outcome.value.document, { maxBinaryBytes, mayBeUnstorable: true })[0]?.msg;
    };
    const prefix = "Value error, binary_base64 must be standard Base64: ";
    expect(told("QUJD-_==")).to.equal(`${prefix}character 5 is "-"`);
    expect(told("QUJD\r\nQU D")).to.equal(`${prefix}character 9 is " "`);
    expect(told("QUJDQ")).to.equal(`${prefix}it has 5 characters, which is no multiple of four`);
    expect(told("QUJDQR==")).to.equal(`${prefix}character 6, its last, says more than the last byte holds`);
  });

  it("wants a last_modified that exists", () => {
    for (const last_modified of [
      "2024-02-29",
      "2024-05-01T09:30:00Z",
      "2024-05-01T09:30:00.123+02:00",
      "2024-05-01 09:30",
    ])
      expect(faultsWith({ last_modified })).to.deep.equal([]);
    for (const last_modified of [
      "",
      "2023-02-29",
      "2024-02-30T00:00:00Z",
      "2024-05-01T24:61:00Z",
      "yesterday",
      "1714556400",
    ]) {
      expect(faultsWith({ last_modified }), last_modified).to.deep.equal(["last_modified datetime_parsing"]);
    }
  });

  it("checks permissions through and through", () => {
    const withPermissions = (permissions: object): string[] => issuesWith({ permissions });
    expect(withPermissions({})).to.deep.equal([]);
    expect(
      withPermissions({
        allow_anonymous_access: false,
        allowed_users: [{ email: "ada@example.org" }],
        allowed_groups: ["staff"],
      }),
    ).to.deep.equal([]);
    expect(withPermissions({ allow_anonymous_access: "true" })).to.deep.equal([
      "documents.permissions.allow_anonymous_access bool_type",
    ]);
    expect(withPermissions({ allowed_users: ["ada@example.org"] })).to.deep.equal([
      "documents.permissions.allowed_users.0 model_attributes_type",
    ]);
    expect(withPermissions({ allowed_users: [{ email: "a".repeat(255) }] })).to.deep.equal([
      "documents.permissions.allowed_users.0.email string_too_long",
    ]);
    expect(withPermissions({ allowed_groups: "staff" })).to.deep.equal([
      "documents.permissions.allowed_groups list_type",
    ]);
    expect(withPermissions({ allowed_groups: ["staff", ""] })).to.deep.equal([
      "documents.permissions.allowed_groups.1 string_too_short",
    ]);
  });

  it("wants a value of every custom property, neither endless nor infinite", () => {
    const withProperty = (property: unknown): string[] => issuesWith({ custom_properties: [property] });
    const faultsOf = (value: unknown): string[] => faultsWith({ custom_properties: [{ name: "a", value }] });
    for (const value of [null, true, 0, "x".repeat(8_192), [], {}]) expect(faultsOf(value)).to.deep.equal([]);
    expect(withProperty({ name: "a" })).to.deep.equal(["documents.custom_properties.0.value missing"]);
    expect(withProperty({ name: "", value: 1 })).to.deep.equal(["documents.custom_properties.0.name string_too_short"]);
    expect(faultsOf("x".repeat(8_193))).to.deep.equal(["custom_properties.0.value string_too_long"]);
    expect(faultsOf(JSON.parse("1e400"))).to.deep.equal(["custom_properties.0.value finite_number"]);
  });

  it("wants text that can be stored, wherever in a document it stands", () => {
    for (const fields of [{ title: "a\0" }, { path: "\ud800" }, { colour: ["\udc00"] }])
      expect(faultsWith(fields)).to.deep.equal([
        `${Object.keys(fields)[0] ?? ""}${"colour" in fields ? ".0" : ""} value_error`,
      ]);
    expect(faultsWith({ body: { mime_type: "text/plain", text_content: "\0" } })).to.deep.equal([
      "body.text_content value_error",
    ]);
    expect(faultsWith({ title: "😀" })).to.deep.equal([]);
  });

  it("looks no further than for what is told, however much is wrong", () => {
    let looks = 0;
    const wrong = Object.defineProperty({}, "email", { enumerable: true, get: () => void looks++ });
    const many: unknown[] = new Array(50_000).fill(wrong);
    const granting = (users: unknown) => ({ ...document, permissions: { allowed_users: users } });
    const refused = [granting(many)].map((documents) => checkDocumentsBody({ documents }));
    expect(refused.map((outcome) => (outcome.ok ? 0 : outcome.error.length))).to.deep.equal([1]);
    const ofEach = [many, [granting(many)], [granting(many.map(() => ({ email: " " })))]].map(issuesOfEach);
    expect(ofEach.map((each) => Math.max(...each.map(({ length }) => length)))).to.deep.equal([5, 1, 100]);
    expect(ofEach[0]?.at(-1)).to.deep.equal([" value_error"]);
    expect(looks).to.be.lessThan(5_000);
    const keys = Object.fromEntries(many.map((_wrong, index) => [`k${index}`, 0]));
    expect(issuesOfEach([{ ...document, permissions: keys }])[0]).to.have.length(100);
  });

  it("says everything that is wrong, but a hundred things at most, and repeats no text", () => {
    const names = Array.from({ length: 150 }, () => ({ name: 1 }));
    expect(issuesWith({ custom_properties: names })).to.have.length(100);
    const secret = "secret ".repeat(200);
    const wrong = checkDocumentsBody({
      documents: {
        ...document,
        title: secret,
        body: { mime_type: "text/plain", text_content: secret, binary_base64: secret },
      },
    });
    expect(JSON.stringify(wrong)).not.to.contain("secret");
  });
});
