/* oxlint-disable oxc/no-map-spread -- what is mapped here are arbitraries, not arrays */
import { expect } from "chai";
import * as fc from "fast-check";
import * as account from "../../commands/account/account.js";
import { decide as decideAccount, type AccountCommand } from "../../commands/account/decider.js";
import * as apiKey from "../../commands/apiKey/decider.js";
import type { SubDeclaration } from "../../commands/commands.js";
import type { DocumentWithText } from "../../commands/document/indexing.js";
import * as datasource from "../../commands/datasource/decider.js";
import * as document from "../../commands/document/decider.js";
import { decide as decideGroup, type GroupCommand } from "../../commands/group/decider.js";
import * as groupGraph from "../../commands/group/groupGraph.js";
import { decide as decideProjection, type ProjectionCommand } from "../../commands/projection/decider.js";
import * as versions from "../../commands/projection/versions.js";
import * as serviceAccount from "../../commands/serviceAccount/decider.js";
import * as session from "../../commands/session/decider.js";
import * as user from "../../commands/user/decider.js";
import type { AccountEvent } from "../../src/events/account.js";
import type { ObjectDefinition, PropertyType } from "../../src/events/datasource.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import type { ProjectionEvent } from "../../src/events/projection.js";
import { roles } from "../../src/shared/credential.js";
import { toEmail, toGroupId } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import {
  apiKeyId,
  alice,
  commands,
  datasourceId,
  events,
  handbook,
  serviceAccountId,
  wiki,
  wikiDatasource,
} from "../support/examples.js";
import { foldOf, type DeciderUnderTest } from "../support/givenWhenThen.js";
import { propertyRuns } from "../support/propertyRuns.js";

const place = { datasourceId, datasource: wiki };
const key = fc.constantFrom("guides", "onboarding", "archive", "policies", "x", "__proto__");
const parentKey = fc.option(key);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "a", "Straße", "2024", "\ud800"));
const name = fc.constantFrom("a", "b", "c", "constructor", "__proto__");
const groupId = name.map(toGroupId);
const email = fc.constantFrom("a@x", "b@x", "").map(toEmail);

const propertyTypes: fc.Arbitrary<PropertyType> = fc.constantFrom("TEXT", "INTEGER", "DATE", "BOOLEAN");
const property = fc.record({ name, displayLabel: text, isSearchable: fc.boolean(), propertyType: propertyTypes });
const objectDefinitions: fc.Arbitrary<readonly ObjectDefinition[]> = fc.array(
  fc.record({ name, propertyDefinitions: fc.array(property, { maxLength: 3 }) }),
  { maxLength: 3 },
);
const subOf = (children: fc.Arbitrary<readonly SubDeclaration[]>): fc.Arbitrary<SubDeclaration> =>
  fc.record({ name: text, key: fc.option(key), parentKey, subs: children });
const sub = subOf(fc.array(subOf(fc.array(subOf(fc.constant([])), { maxLength: 1 })), { maxLength: 2 }));
const subs = fc.array(sub, { maxLength: 4 });
const access = fc.option(fc.record({ anonymous: fc.boolean(), users: fc.array(email), groups: fc.array(text) }));
const instant = fc.option(
  fc.constantFrom("2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", "2024-05-02", "yesterday"),
);
const mimeType = fc.oneof(text, fc.constantFrom("text/plain", "application/x-unheard-of", "/", ";"));
const body = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text, mimeType, size: fc.nat() }),
  fc.record({ kind: fc.constant("unextractable" as const), reason: text, mimeType }),
);

/**
 * Whatever the history and whatever the command: a decision follows, its events can be folded, and it repeats itself.
 */
function neverThrows<State, Event extends DomainEvent, Command>(
  decider: DeciderUnderTest<State, Event, Command>,
  event: fc.Arbitrary<Event>,
  command: fc.Arbitrary<Command>,
): void {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), command, (history, asked) => {
      const fold = (): State => foldOf(decider, history);
      const state = fold();
      const decision = decider.decide(asked, state);
      expect(state, "deciding changes no state").to.deep.equal(fold());
      expect(decider.decide(asked, state)).to.deep.equal(decision);
      if (decision.ok) foldOf({ ...decider, initialState: () => state }, decision.value);
      else expect(decision.error.type).to.match(/^[A-Z]\w+$/);
    }),
    propertyRuns(400),
  );
}

describe("any command on any state comes to a decision", () => {
  it("of datasources", () => {
    const update = fc.record({ displayName: text, icon: fc.option(text), objectDefinitions }, { requiredKeys: [] });
    neverThrows(
      datasource,
      fc.oneof(
        fc
          .record({ subs: fc.constantFrom([], wikiDatasource.subs), objectDefinitions })
          .map((change) => ({ type: "DatasourceRegistered" as const, data: { ...wikiDatasource, ...change } })),
        update.map((change) => ({ type: "DatasourceUpdated" as const, data: { datasourceId, ...change } })),
        fc.constant(events.DatasourceDeleted),
        fc
          .record({ key, parentKey })
          .map((where) => ({ type: "SubAdded" as const, data: { datasourceId, name: "Sub", ...where, subs: [] } })),
        fc
          .record({ key, parentKey })
          .map((where) => ({ type: "SubRemoved" as const, data: { datasourceId, ...where } })),
      ),
      fc.oneof(
        fc.record({ subs, objectDefinitions }).map((change) => ({
          type: "RegisterDatasource" as const,
          datasourceId,
          declaration: { ...commands.registerDatasource, ...change },
        })),
        update.map((change) => ({ type: "UpdateDatasource" as const, update: { name: wiki, ...change } })),
        fc.constant({ type: "DeleteDatasource" as const, name: wiki }),
        sub.map((added) => ({ type: "AddSub" as const, datasource: wiki, sub: added })),
        fc.record({ key, parentKey }).map((where) => ({ type: "RemoveSub" as const, datasource: wiki, ...where })),
      ),
    );
  });

  it("of groups", () => {
    const membership = fc.tuple(groupId, groupId).map(([group, member]) => ({
      datasourceId,
      groupId: group,
      member: { kind: "group" as const, groupId: member },
    }));
    neverThrows(
      { ...groupGraph, decide: decideGroup },
      fc.oneof(
        fc.tuple(groupId, name).map(([id, called]) => ({
          type: "GroupCreated" as const,
          data: { datasourceId, groupId: id, name: called },
        })),
        fc.tuple(groupId, name, name).map(([id, called, previousName]) => ({
          type: "GroupRenamed" as const,
          data: { datasourceId, groupId: id, name: called, previousName },
        })),
        membership.map((data) => ({ type: "MembershipAdded" as const, data })),
        membership.map((data) => ({ type: "MembershipRemoved" as const, data })),
      ),
      fc.oneof<fc.Arbitrary<GroupCommand>[]>(
        fc.tuple(groupId, name).map(([id, called]) => ({ ...place, type: "CreateGroup", groupId: id, name: called })),
        fc.tuple(name, name).map(([from, to]) => ({ ...place, type: "RenameGroup", name: from, newName: to })),
        fc.tuple(name, name).map(([group, member]) => ({ ...place, type: "AddNestedGroup", group, member })),
        fc.tuple(name, name).map(([group, member]) => ({ ...place, type: "RemoveNestedGroup", group, member })),
      ),
    );
  });

  it("of users", () => {
    const membership = groupId.map((group) => ({
      datasourceId,
      groupId: group,
      member: { kind: "user" as const, email: alice },
    }));
    const person = { ...place, email: alice };
    const replaced = new Map([[toGroupId("a"), { isMember: true, at: toPosition(5) }]]);
    neverThrows(
      user,
      fc.oneof(
        fc.constantFrom(events.UserRegistered, events.UserRenamed),
        membership.map((data) => ({ type: "MembershipAdded" as const, data })),
        membership.map((data) => ({ type: "MembershipRemoved" as const, data })),
      ),
      fc.oneof<fc.Arbitrary<user.UserCommand>[]>(
        fc.option(text).map((called) => ({ ...person, type: "RegisterUser", name: called })),
        text.map((called) => ({ ...person, type: "RenameUser", name: called })),
        groupId.map((group) => ({ ...person, type: "AddMembership", groupId: group, group, replaced })),
        groupId.map((group) => ({ ...person, type: "RemoveMembership", groupId: group, group, replaced })),
      ),
    );
  });

  it("of documents", () => {
    const customProperties = fc.array(
      fc.record({ name: fc.constantFrom("team", "rating", "due", "reviewed", "__proto__"), value: fc.anything() }),
      { maxLength: 2 },
    );
    const change = fc.record<Partial<DocumentWithText>>({
      title: text,
      body,
      lastModified: instant,
      sub: parentKey,
      childSub: parentKey,
      access,
      customProperties,
    });
    const version = fc
      .record({ lastModified: instant, access })
      .map((fields) => ({ ...fields, access: fields.access ?? events.DocumentIndexed.data.access }));
    neverThrows(
      document,
      fc.oneof(
        version.map((fields) => ({
          type: "DocumentIndexed" as const,
          data: { ...events.DocumentIndexed.data, ...fields },
        })),
        fc.constant(events.DocumentDeleted),
      ),
      fc.oneof<fc.Arbitrary<document.DocumentCommand>[]>(
        change.map((fields) => ({
          type: "IndexDocument",
          datasource: wikiDatasource,
          document: { ...commands.indexDocument, ...fields },
        })),
        fc.constant({ type: "DeleteDocument", datasourceId, datasource: wiki, documentId: handbook }),
      ),
    );
  });

  it("of service accounts and personal keys", () => {
    neverThrows(
      serviceAccount,
      fc.constantFrom(
        events.ServiceAccountCreated,
        events.ServiceAccountBound,
        events.ServiceAccountRotated,
        events.ServiceAccountUsed,
        events.ServiceAccountRevoked,
      ),
      fc.constantFrom<serviceAccount.ServiceAccountCommand>(
        { type: "CreateServiceAccount", created: events.ServiceAccountCreated.data },
        { type: "BindServiceAccount", id: serviceAccountId, found: [{ name: wiki, datasourceId }] },
        { type: "RotateServiceAccount", ...events.ServiceAccountRotated.data },
        { type: "NoteServiceAccountUsed", ...events.ServiceAccountUsed.data, everyMs: 1 },
        { type: "RevokeServiceAccount", id: serviceAccountId },
      ),
    );
    neverThrows(
      apiKey,
      fc.constantFrom(events.ApiKeyCreated, events.ApiKeyUsed, events.ApiKeyRevoked),
      fc.constantFrom<apiKey.ApiKeyCommand>(
        { type: "CreateApiKey", created: events.ApiKeyCreated.data },
        { type: "NoteApiKeyUsed", ...events.ApiKeyUsed.data, everyMs: 1 },
        { type: "RevokeApiKey", id: apiKeyId },
      ),
    );
  });

  it("of accounts and sessions", () => {
    const { passwordHash } = events.AccountPasswordSet.data;
    const { email: person, ...link } = events.AccountLinkIssued.data;
    const asked = { email: person };
    const role = fc.constantFrom(...roles);
    const held = fc.array(role);
    neverThrows(
      { ...account, decide: decideAccount },
      fc.oneof<fc.Arbitrary<AccountEvent>[]>(
        fc.constantFrom(
          events.AccountCreated,
          events.AccountPasswordSet,
          events.AccountLinkIssued,
          events.AccountSessionsEnded,
          events.AccountDisabled,
          events.AccountEnabled,
        ),
        role.map((given) => ({ type: "AccountRoleGiven", data: { ...asked, role: given } })),
        role.map((taken) => ({ type: "AccountRoleTaken", data: { ...asked, role: taken } })),
      ),
      fc.oneof<fc.Arbitrary<AccountCommand>[]>(
        fc.constantFrom<AccountCommand>(
          { type: "CreateAccount", created: events.AccountCreated.data, passwordHash, link },
          { type: "IssueLink", ...asked, link },
          { type: "EnableAccount", ...asked },
          { type: "EndSessions", ...asked },
          { type: "SetPassword", ...asked, passwordHash, proof: { kind: "current", passwordHash } },
          { type: "SetPassword", ...asked, passwordHash, proof: { kind: "link", ...link, now: new Date(0) } },
        ),
        fc.constantFrom(person, "operator").map((by) => ({ type: "DisableAccount", ...asked, by })),
        fc
          .tuple(held, fc.constantFrom(person, "operator"))
          .map(([wanted, by]) => ({ type: "SetRoles", ...asked, roles: wanted, by })),
        fc.option(held).map((wanted) => ({ type: "FollowProvider", ...asked, roles: wanted })),
      ),
    );
    neverThrows(
      session,
      fc.constantFrom(events.SessionStarted, events.SessionUsed, events.SessionEnded),
      fc.constantFrom<session.SessionCommand>(
        { type: "StartSession", started: events.SessionStarted.data },
        { type: "NoteSessionUsed", ...events.SessionUsed.data, everyMs: 1 },
        { type: "EndSession", ...events.SessionEnded.data },
      ),
    );
  });

  it("of projections", () => {
    const version = fc.integer({ min: -1, max: 4 });
    const asked = { projection: "search" } as const;
    neverThrows(
      { ...versions, decide: decideProjection },
      fc.constantFrom<ProjectionEvent>(
        events.ProjectionRebuildStarted,
        events.ProjectionCompared,
        events.ProjectionVersionAccepted,
        events.ProjectionRollbackStarted,
        events.ProjectionVersionActivated,
        events.ProjectionVersionDropped,
        events.ProjectionPaused,
        events.ProjectionResumed,
        events.ParkedEventRetried,
        events.ParkedEventDiscarded,
        events.ReadModelRepairRequested,
      ),
      fc.oneof<fc.Arbitrary<ProjectionCommand>[]>(
        fc
          .constantFrom(
            "AcceptVersion" as const,
            "RollBack" as const,
            "PauseProjection" as const,
            "ResumeProjection" as const,
          )
          .map((type) => ({ type, ...asked })),
        version.chain((number) =>
          fc
            .constantFrom("ActivateVersion" as const, "DropVersion" as const)
            .map((type) => ({ type, version: number, ...asked })),
        ),
        version.map((number) => ({
          type: "RecordComparison",
          version: number,
          comparison: events.ProjectionCompared.data.comparison,
          ...asked,
        })),
        version.map((number) => ({
          type: "DiscardParked",
          version: number,
          position: "42",
          eventType: "DocumentIndexed",
          ...asked,
        })),
        fc
          .record({ verify: fc.boolean(), keep: fc.nat(3), accepted: fc.boolean() })
          .map((how) => ({ type: "StartRebuild", ...how, ...asked })),
      ),
    );
  });
});
