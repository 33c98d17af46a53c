import * as account from "../../../commands/account/account.js";
import { decide, type AccountCommand } from "../../../commands/account/decider.js";
import type { Role } from "../../../src/shared/credential.js";
import { alice, bob, events } from "../../support/examples.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";

const given = deciderScenarios({ ...account, decide });
const { AccountCreated: created, AccountPasswordSet: passwordSet, AccountLinkIssued: linkIssued } = events;
const { AccountRoleGiven: auditorGiven, AccountRoleTaken: developerTaken } = events;
const { AccountDisabled: disabled, AccountEnabled: enabled, AccountSessionsEnded: sessionsEnded } = events;
const { passwordHash } = passwordSet.data;
const { secretSha256, expiresAt } = linkIssued.data;
const link = { secretSha256, expiresAt };
const email = alice;
const before = new Date(Date.parse(expiresAt) - 1);

describe("the decider of accounts", () => {
  describe("creates an account", () => {
    const create = { type: "CreateAccount", created: created.data, passwordHash: null, link: null } as const;

    it("with a password, with a link, or with neither", () => {
      given([]).when(create).then([created]);
      given([])
        .when({ ...create, passwordHash })
        .then([created, passwordSet]);
      given([])
        .when({ ...create, link })
        .then([created, linkIssued]);
    });

    it("with each role once, in one order", () =>
      given([])
        .when({ ...create, created: { ...created.data, roles: ["developer", "administrator", "developer"] } })
        .then([created]));

    it("once", () => given([created]).when(create).thenRejected({ type: "AccountExists", email }));
  });

  describe("gives and takes roles until they are those that were asked for", () => {
    const setRoles = (roles: readonly Role[], by: string = bob): AccountCommand => ({
      type: "SetRoles",
      ...{ email, roles, by },
    });

    it("one event each", () =>
      given([created])
        .when(setRoles(["administrator", "auditor"]))
        .then([developerTaken, auditorGiven]));
    it("and nothing where they are so already", () =>
      given([created, developerTaken, auditorGiven])
        .when(setRoles(["auditor", "administrator"]))
        .thenNothing());
    it("of nobody who has no account", () =>
      given([]).when(setRoles([])).thenRejected({ type: "AccountNotFound", email }));
    it("but for the asker's own administrator role", () => {
      given([created])
        .when(setRoles(["developer"], alice))
        .thenRejected("OwnAdministratorRole");
      given([created])
        .when(setRoles(["administrator"], alice))
        .then([developerTaken]);
      given([{ ...created, data: { ...created.data, roles: ["developer"] } }])
        .when(setRoles([], alice))
        .then([developerTaken]);
    });
  });

  describe("follows an identity provider", () => {
    const follow = (roles: readonly Role[] | null): AccountCommand => ({ type: "FollowProvider", email, roles });
    const byProvider = { ...created, data: { ...created.data, origin: "identityProvider" as const } };

    it("to a new account, without roles where it names none", () => {
      given([])
        .when(follow(null))
        .then([{ ...byProvider, data: { ...byProvider.data, roles: [] } }]);
      given([])
        .when(follow(["developer", "administrator"]))
        .then([byProvider]);
    });
    it("in the roles of one that is there, the person's own administrator role too", () => {
      given([created])
        .when(follow(["auditor", "administrator"]))
        .then([developerTaken, auditorGiven]);
      given([created]).when(follow(null)).thenNothing();
      given([created])
        .when(follow(["developer"]))
        .then([{ type: "AccountRoleTaken", data: { email, role: "administrator" } }]);
    });
    it("not into one that is disabled", () =>
      given([created, disabled])
        .when(follow(["developer"]))
        .thenRejected({ type: "AccountIsDisabled", email }));
  });

  it("issues links for accounts that are there and enabled", () => {
    const issue = { type: "IssueLink", email, link } as const;
    given([created, linkIssued]).when(issue).then([linkIssued]);
    given([]).when(issue).thenRejected({ type: "AccountNotFound", email });
    given([created, disabled]).when(issue).thenRejected({ type: "AccountIsDisabled", email });
  });

  describe("sets a password", () => {
    const byLink = (now: Date, secret = secretSha256): AccountCommand => ({
      type: "SetPassword",
      ...{ email, passwordHash, proof: { kind: "link", secretSha256: secret, now } },
    });

    it("by the newest link, until it ends", () => {
      given([created, linkIssued]).when(byLink(before)).then([passwordSet]);
      given([created, linkIssued])
        .when(byLink(new Date(expiresAt)))
        .thenRejected("AccountLinkInvalid");
    });
    it("by no other link: another's, a used, a replaced one, one of before a disabling, or of nobody", () => {
      const later = { ...linkIssued, data: { ...linkIssued.data, secretSha256: "f".repeat(64) } };
      given([created, linkIssued])
        .when(byLink(before, "0".repeat(64)))
        .thenRejected("AccountLinkInvalid");
      given([created, linkIssued, passwordSet]).when(byLink(before)).thenRejected("AccountLinkInvalid");
      given([created, linkIssued, later]).when(byLink(before)).thenRejected("AccountLinkInvalid");
      given([created, linkIssued, disabled]).when(byLink(before)).thenRejected("AccountLinkInvalid");
      given([created, linkIssued, disabled, enabled]).when(byLink(before)).thenRejected("AccountLinkInvalid");
      given([created]).when(byLink(before)).thenRejected("AccountLinkInvalid");
      given([]).when(byLink(before)).thenRejected("AccountLinkInvalid");
    });
    it("by the present password, as long as it is that", () => {
      const proof = { kind: "current", passwordHash } as const;
      const set = { type: "SetPassword", email, passwordHash: "another", proof } as const;
      const another = { ...passwordSet, data: { email, passwordHash: "another" } };
      given([created, passwordSet]).when(set).then([another]);
      given([created, passwordSet, another]).when(set).thenRejected("PasswordWrong");
      given([created, passwordSet, disabled]).when(set).thenRejected("PasswordWrong");
      given([created]).when(set).thenRejected("PasswordWrong");
    });
  });

  it("disables and enables, each once, and nobody their own", () => {
    const disable = { type: "DisableAccount", email, by: "operator" } as const;
    const enable = { type: "EnableAccount", email } as const;
    given([created]).when(disable).then([disabled]);
    given([created, disabled]).when(disable).thenNothing();
    given([created])
      .when({ ...disable, by: alice })
      .thenRejected("OwnAccountDisabled");
    given([created, disabled]).when(enable).then([enabled]);
    given([created]).when(enable).thenNothing();
    given([]).when(enable).thenRejected({ type: "AccountNotFound", email });
  });

  it("ends sessions as often as it is asked to", () =>
    given([created, sessionsEnded]).when({ type: "EndSessions", email }).then([sessionsEnded]));
});
