import { expect } from "chai";
import * as bodies from "../../src/validation/requestBodies.js";

type Check = (input: unknown) => bodies.Checked<unknown>;

const issuesOf = (check: Check, input: unknown): string[] => {
  const outcome = check(input);
  return outcome.ok ? [] : outcome.error.map(({ loc, type }) => `${loc.join(".")} ${type}`);
};

const right: readonly (readonly [string, Check, unknown])[] = [
  ["a datasource of a name alone", bodies.checkRegisterDatasource, { name: "handbook", display_name: "Handbook" }],
  [
    "a datasource with everything",
    bodies.checkRegisterDatasource,
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
  ["a change of nothing", bodies.checkUpdateDatasource, {}],
  ["a change that removes the icon", bodies.checkUpdateDatasource, { icon_base64: null }],
  ["a sub that names its parent", bodies.checkAddSub, { name: "Travel", parent_key: "human_resources" }],
  ["a user without an email, which is 400 later", bodies.checkRegisterUser, { datasource: "handbook", user: {} }],
  [
    "a group of whitespace, which is 400 later",
    bodies.checkCreateGroup,
    { datasource: "handbook", group: { name: " " } },
  ],
  [
    "a group of 128 characters of two units each",
    bodies.checkCreateGroup,
    { datasource: "handbook", group: { name: "😀".repeat(128) } },
  ],
  [
    "a membership of a user",
    bodies.checkAddMembership,
    {
      datasource: "handbook",
      membership: { group_name: "staff", member_email: "ada@example.org", member_group_name: null },
    },
  ],
  [
    "a question about access",
    bodies.checkCheckAccess,
    { datasource: "handbook", document_id: "a", user_email: "Ada@Example.org" },
  ],
];

const wrong: readonly (readonly [string, Check, unknown, readonly string[]])[] = [
  ["a datasource without a name", bodies.checkRegisterDatasource, {}, ["body.name missing"]],
  [
    "a name with a capital",
    bodies.checkRegisterDatasource,
    { name: "Handbook" },
    ["body.name string_pattern_mismatch"],
  ],
  [
    "a name with two underscores in a row",
    bodies.checkRegisterDatasource,
    { name: "a__b" },
    ["body.name string_pattern_mismatch"],
  ],
  ["a name with a hyphen", bodies.checkRegisterDatasource, { name: "a-b" }, ["body.name string_pattern_mismatch"]],
  ["a name of 65 letters", bodies.checkRegisterDatasource, { name: "a".repeat(65) }, ["body.name string_too_long"]],
  [
    "a sub key that is no slug",
    bodies.checkRegisterDatasource,
    { name: "a", subs: [{ name: "x", subs: [{ name: "y", key: "Y" }] }] },
    ["body.subs.0.subs.0.key string_pattern_mismatch"],
  ],
  [
    "a property without a type",
    bodies.checkRegisterDatasource,
    { name: "a", object_definitions: [{ property_definitions: [{ name: "p" }] }] },
    ["body.object_definitions.0.property_definitions.0.property_type missing"],
  ],
  [
    "a property of an unknown type",
    bodies.checkUpdateDatasource,
    { object_definitions: [{ property_definitions: [{ name: "p", property_type: "text" }] }] },
    ["body.object_definitions.0.property_definitions.0.property_type enum"],
  ],
  [
    "an icon that is no Base64",
    bodies.checkRegisterDatasource,
    { name: "a", icon_base64: "!" },
    ["body.icon_base64 value_error"],
  ],
  [
    "an icon above 256 KiB",
    bodies.checkUpdateDatasource,
    { icon_base64: Buffer.alloc(256 * 1024 + 1).toString("base64") },
    ["body.icon_base64 value_error"],
  ],
  [
    "a change of name and subs",
    bodies.checkUpdateDatasource,
    { name: "b", subs: [] },
    ["body.name extra_forbidden", "body.subs extra_forbidden"],
  ],
  ["a sub without a name", bodies.checkAddSub, { key: "a" }, ["body.name missing"]],
  [
    "a user that is no object",
    bodies.checkRegisterUser,
    { datasource: "a", user: "ada@example.org" },
    ["body.user model_attributes_type"],
  ],
  [
    "an email that is a number",
    bodies.checkRegisterUser,
    { datasource: "a", user: { email: 1 } },
    ["body.user.email string_type"],
  ],
  [
    "an email of 255 characters",
    bodies.checkRegisterUser,
    { datasource: "a", user: { email: "a".repeat(255) } },
    ["body.user.email string_too_long"],
  ],
  ["a new name that is not there", bodies.checkRenameUser, {}, ["body.name missing"]],
  [
    "an empty group name",
    bodies.checkCreateGroup,
    { datasource: "a", group: { name: "" } },
    ["body.group.name string_too_short"],
  ],
  [
    "a group name of 129 characters",
    bodies.checkRenameGroup,
    { group_name: "g".repeat(129) },
    ["body.group_name string_too_long"],
  ],
  [
    "a group name of 129 characters of two units each",
    bodies.checkRenameGroup,
    { group_name: "😀".repeat(129) },
    ["body.group_name string_too_long"],
  ],
  [
    "a membership of nobody",
    bodies.checkAddMembership,
    { datasource: "a", membership: { group_name: "g" } },
    ["body.membership value_error"],
  ],
  [
    "a membership of two",
    bodies.checkAddMembership,
    { datasource: "a", membership: { group_name: "g", member_email: "a@b", member_group_name: "h" } },
    ["body.membership value_error"],
  ],
  [
    "an empty member",
    bodies.checkAddMembership,
    { datasource: "a", membership: { group_name: "g", member_email: "" } },
    ["body.membership.member_email string_too_short"],
  ],
  [
    "a question about nobody",
    bodies.checkCheckAccess,
    { datasource: "a", document_id: "b", user_email: " " },
    ["body.user_email string_too_short"],
  ],
  [
    "a question about an id that leads elsewhere",
    bodies.checkCheckAccess,
    { datasource: "a", document_id: "a..b", user_email: "c" },
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
      expect(issuesOf(bodies.checkAddSub, input)).to.deep.equal(["body model_attributes_type"]);
  });
});
