import { expect } from "chai";
import { addMembershipMessage } from "../../../src/api/memberships.js";
import { addSubMessage, registerDatasourceMessage, updateDatasourceMessage } from "../../../src/api/datasources.js";
import { checkAccessMessage } from "../../../src/api/checkAccess.js";
import { createGroupMessage, renameGroupMessage } from "../../../src/api/groups.js";
import { registerUserMessage, renameUserMessage } from "../../../src/api/users.js";
import type { Checked } from "../../../src/http/validation/message.js";

type Check = (input: unknown) => Checked<unknown>;

const issuesOf = (check: Check, input: unknown): string[] => {
  const outcome = check(input);
  return outcome.ok ? [] : outcome.error.map(({ loc, type }) => `${loc.join(".")} ${type}`);
};

const right: readonly (readonly [string, Check, unknown])[] = [
  ["a datasource of a name alone", registerDatasourceMessage.check, { name: "handbook", display_name: "Handbook" }],
  [
    "a datasource with everything",
    registerDatasourceMessage.check,
    {
      name: "a1_b2",
      icon_base64: "data:image/png;base64,QUJD",
      subs: [
        { name: "One", subs: [{ name: "Two", key: "two" }] },
        { name: "Three", parent_key: "one" },
      ],
      object_definitions: [
        {
          name: "page",
          property_definitions: [{ name: "owner", display_label: "Owner", is_searchable: true, property_type: "TEXT" }],
        },
      ],
    },
  ],
  ["a datasource named as one of the six is found", registerDatasourceMessage.check, { name: "jira" }],
  ["a change of nothing", updateDatasourceMessage.check, {}],
  ["a change that removes the icon", updateDatasourceMessage.check, { icon_base64: null }],
  ["a sub that names its parent", addSubMessage.check, { name: "Travel", parent_key: "human_resources" }],
  ["a user without an email, which is 400 later", registerUserMessage.check, { datasource: "handbook", user: {} }],
  [
    "a group of whitespace, which is 400 later",
    createGroupMessage.check,
    { datasource: "handbook", group: { name: " " } },
  ],
  [
    "a group of 128 characters of two units each",
    createGroupMessage.check,
    { datasource: "handbook", group: { name: "😀".repeat(128) } },
  ],
  [
    "a membership of a user",
    addMembershipMessage.check,
    {
      datasource: "handbook",
      membership: { group_name: "staff", member_email: "ada@example.org", member_group_name: null },
    },
  ],
  [
    "a question about access",
    checkAccessMessage.check,
    { datasource: "handbook", document_id: "a", user_email: "Ada@Example.org" },
  ],
];

const wrong: readonly (readonly [string, Check, unknown, readonly string[]])[] = [
  ["a datasource without a name", registerDatasourceMessage.check, {}, ["body.name missing"]],
  ["a name that is a word of searches", registerDatasourceMessage.check, { name: "other" }, ["body.name value_error"]],
  [
    "a name with a capital",
    registerDatasourceMessage.check,
    { name: "Handbook" },
    ["body.name string_pattern_mismatch"],
  ],
  [
    "a name with two underscores in a row",
    registerDatasourceMessage.check,
    { name: "a__b" },
    ["body.name string_pattern_mismatch"],
  ],
  ["a name with a hyphen", registerDatasourceMessage.check, { name: "a-b" }, ["body.name string_pattern_mismatch"]],
  ["a name of 65 letters", registerDatasourceMessage.check, { name: "a".repeat(65) }, ["body.name string_too_long"]],
  [
    "a sub key that is no slug",
    registerDatasourceMessage.check,
    { name: "a", subs: [{ name: "x", subs: [{ name: "y", key: "Y" }] }] },
    ["body.subs.0.subs.0.key string_pattern_mismatch"],
  ],
  [
    "a property without a type",
    registerDatasourceMessage.check,
    { name: "a", object_definitions: [{ property_definitions: [{ name: "p" }] }] },
    ["body.object_definitions.0.property_definitions.0.property_type missing"],
  ],
  [
    "a property of an unknown type",
    updateDatasourceMessage.check,
    { object_definitions: [{ property_definitions: [{ name: "p", property_type: "text" }] }] },
    ["body.object_definitions.0.property_definitions.0.property_type enum"],
  ],
  [
    "an icon that is no Base64",
    registerDatasourceMessage.check,
    { name: "a", icon_base64: "!" },
    ["body.icon_base64 value_error"],
  ],
  [
    "an icon above 256 KiB",
    updateDatasourceMessage.check,
    { icon_base64: Buffer.alloc(256 * 1024 + 1).toString("base64") },
    ["body.icon_base64 value_error"],
  ],
  [
    "a membership of a blank email",
    addMembershipMessage.check,
    { datasource: "a", membership: { group_name: "g", member_email: " \u0085" } },
    ["body.membership.member_email string_too_short"],
  ],
  ["a sub without a name", addSubMessage.check, { key: "a" }, ["body.name missing"]],
  [
    "a user that is no object",
    registerUserMessage.check,
    { datasource: "a", user: "ada@example.org" },
    ["body.user model_attributes_type"],
  ],
  [
    "an email that is a number",
    registerUserMessage.check,
    { datasource: "a", user: { email: 1 } },
    ["body.user.email string_type"],
  ],
  [
    "an email of 255 characters",
    registerUserMessage.check,
    { datasource: "a", user: { email: "a".repeat(255) } },
    ["body.user.email string_too_long"],
  ],
  [
    "an email that is longer than 254 characters once it is folded",
    registerUserMessage.check,
    { datasource: "a", user: { email: `${"㌀".repeat(64)}@example.org` } },
    ["body.user.email string_too_long"],
  ],
  [
    "a group name that is longer than 128 characters once it is folded",
    createGroupMessage.check,
    { datasource: "a", group: { name: "㌀".repeat(33) } },
    ["body.group.name string_too_long"],
  ],
  [
    "the same as a new name",
    renameGroupMessage.check,
    { group_name: "㌀".repeat(33) },
    ["body.group_name string_too_long"],
  ],
  ["a new name that is not there", renameUserMessage.check, {}, ["body.name missing"]],
  [
    "an empty group name",
    createGroupMessage.check,
    { datasource: "a", group: { name: "" } },
    ["body.group.name string_too_short"],
  ],
  [
    "a group name of 129 characters",
    renameGroupMessage.check,
    { group_name: "g".repeat(129) },
    ["body.group_name string_too_long"],
  ],
  [
    "a group name of 129 characters of two units each",
    renameGroupMessage.check,
    { group_name: "😀".repeat(129) },
    ["body.group_name string_too_long"],
  ],
  [
    "a membership of nobody",
    addMembershipMessage.check,
    { datasource: "a", membership: { group_name: "g" } },
    ["body.membership value_error"],
  ],
  [
    "a membership of two",
    addMembershipMessage.check,
    { datasource: "a", membership: { group_name: "g", member_email: "a@b", member_group_name: "h" } },
    ["body.membership value_error"],
  ],
  [
    "an empty member",
    addMembershipMessage.check,
    { datasource: "a", membership: { group_name: "g", member_email: "" } },
    ["body.membership.member_email string_too_short"],
  ],
  [
    "a question about nobody",
    checkAccessMessage.check,
    { datasource: "a", document_id: "b", user_email: " " },
    ["body.user_email string_too_short"],
  ],
  [
    "a question about an id that leads elsewhere",
    checkAccessMessage.check,
    { datasource: "a", document_id: "..", user_email: "c" },
    ["body.document_id string_pattern_mismatch"],
  ],
];

describe("a request body", () => {
  for (const [what, check, input] of right) {
    it(`may be ${what}`, () => {
      expect(check(input)).to.deep.equal({ ok: true, value: input });
    });
  }

  for (const [what, check, input, issues] of wrong) {
    it(`may not be ${what}`, () => {
      expect(issuesOf(check, input)).to.deep.equal(issues);
    });
  }

  it("is an object", () => {
    for (const input of [null, [], "x", 1, true])
      expect(issuesOf(addSubMessage.check, input)).to.deep.equal(["body model_attributes_type"]);
  });
});
