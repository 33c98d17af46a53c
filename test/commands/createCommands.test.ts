import { expect } from "chai";
import type { CommandContext, Commands } from "../../commands/commands.js";
import { documentStream } from "../../src/events/streams.js";
import {
  formatCredential,
  hashSecret,
  mintCredential,
  mintLinkSecret,
  parseCredential,
} from "../../src/shared/credential.js";
import {
  newAgentId,
  newFileId,
  newSyncRunId,
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toEmail,
  toGroupId,
} from "../../src/shared/ids.js";
import {
  alice,
  apiKeyId,
  commands as examples,
  datasourceId,
  events,
  handbook,
  limitedTo,
  operator,
  serviceAccountId,
  staffId,
  wiki,
  wikiDatasource,
} from "../support/examples.js";
import {
  accepted,
  now,
  openTemporaryCommands,
  outcome,
  withPrincipals,
  type CommandsUnderTest,
} from "./temporaryCommands.js";

const elsewhere = limitedTo("other");
const member = (email: string) => ({ kind: "user", email: toEmail(email) }) as const;
const nested = (name: string) => ({ kind: "group", name }) as const;
const absent = toDatasourceName("absent");

describe("the commands", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  beforeEach(async () => {
    let groups = 0;
    const minting = {
      datasourceId: () => datasourceId,
      groupId: () => (groups++ === 0 ? staffId : toGroupId(`group-${groups}`)),
      syncRunId: newSyncRunId,
      fileId: newFileId,
      agentId: newAgentId,
      credential: mintCredential,
      linkSecret: mintLinkSecret,
    };
    under = await openTemporaryCommands({ minting });
    commands = under.commands;
  });
  afterEach(() => under.close());

  it("answer with what they wrote and where it stands in the log", async () => {
    const registered = await accepted(commands.registerDatasource(examples.registerDatasource, operator));
    expect(registered.value).to.deep.equal(wikiDatasource);
    const added = await accepted(
      commands.addSub(
        { datasource: wiki, sub: { name: "How-tos", key: null, parentKey: "guides", subs: [] } },
        operator,
      ),
    );
    expect(added.value).to.deep.equal({ name: "How-tos", key: "how_tos", parentKey: "guides", subs: [] });
    const updated = await accepted(commands.updateDatasource(examples.updateDatasource, operator));
    const [guides, ...others] = wikiDatasource.subs;
    const subs = [{ ...guides, subs: [...(guides?.subs ?? []), { name: "How-tos", key: "how_tos" }] }, ...others];
    expect(updated.value).to.deep.equal({ ...wikiDatasource, displayName: "The wiki", icon: "aWNvbg==", subs });
    const removed = await accepted(commands.removeSub(examples.removeSub, operator));
    const deleted = await accepted(commands.deleteDatasource({ name: wiki }, operator));
    const recorded = await under.recorded();
    expect(recorded.map(({ event }) => event)).to.deep.equal([
      events.DatasourceRegistered,
      events.SubAdded,
      events.DatasourceUpdated,
      events.SubRemoved,
      events.DatasourceDeleted,
    ]);
    expect([registered, added, updated, removed, deleted].map(({ position }) => position)).to.deep.equal(
      recorded.map(({ position }) => position),
    );
  });

  it("record who asked, when, and for which request", async () => {
    const context: CommandContext = { ...limitedTo("wiki"), correlationId: "request-7" };
    await accepted(commands.registerDatasource(examples.registerDatasource, context));
    const metadata = {
      at: now.toISOString(),
      by: serviceAccountId,
      correlationId: "request-7",
      causationId: "request-7",
    };
    expect((await under.recorded()).map((event) => event.metadata)).to.deep.equal([metadata]);
  });

  it("write a person's history to the person, and the groups' to the groups", async () => {
    await withPrincipals(commands, {});
    await accepted(commands.registerUser(examples.registerUser, operator));
    await accepted(commands.createGroup(examples.createGroup, operator));
    await accepted(commands.addMembership(examples.addMembership, operator));
    await accepted(commands.createGroup({ datasource: wiki, name: "engineers" }, operator));
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: nested("engineers") }, operator));
    await accepted(commands.renameGroup(examples.renameGroup, operator));
    await accepted(commands.removeMembership({ ...examples.removeMembership, group: "everybody" }, operator));
    const data = { datasourceId, groupId: staffId };
    expect((await under.recorded()).slice(1).map(({ stream, event }) => [stream, event])).to.deep.equal([
      ["user-incarnation1:alice@example.org", events.UserRegistered],
      ["groupGraph-incarnation1", events.GroupCreated],
      ["user-incarnation1:alice@example.org", { type: "MembershipAdded", data: { ...data, member: member(alice) } }],
      [
        "groupGraph-incarnation1",
        { type: "GroupCreated", data: { datasourceId, groupId: toGroupId("group-2"), name: "engineers" } },
      ],
      [
        "groupGraph-incarnation1",
        { type: "MembershipAdded", data: { ...data, member: { kind: "group", groupId: toGroupId("group-2") } } },
      ],
      ["groupGraph-incarnation1", events.GroupRenamed],
      ["user-incarnation1:alice@example.org", { type: "MembershipRemoved", data: { ...data, member: member(alice) } }],
    ]);
  });

  it("answer a repeat with no older position than was answered before, and write nothing", async () => {
    await withPrincipals(commands, {});
    await accepted(commands.registerUser(examples.registerUser, operator));
    await accepted(commands.createGroup(examples.createGroup, operator));
    await accepted(
      commands.indexDocument({ ...examples.indexDocument, sub: null, childSub: null, customProperties: [] }, operator),
    );
    const { position: newest } = await accepted(commands.createGroup({ datasource: wiki, name: "last" }, operator));
    const before = await under.recorded();
    const repeats = [
      await accepted(commands.updateDatasource({ name: wiki, displayName: wiki }, operator)),
      await accepted(commands.renameUser({ datasource: wiki, email: alice, name: "Alice" }, operator)),
      await accepted(commands.renameGroup({ datasource: wiki, name: "staff", newName: "staff" }, operator)),
      await accepted(
        commands.indexDocument(
          { ...examples.indexDocument, sub: null, childSub: null, customProperties: [] },
          operator,
        ),
      ),
    ];
    const never = { datasource: wiki, documentId: toDocumentId("never") };
    const nothing = await commands.indexDocuments([], operator);
    repeats.push(await accepted(commands.deleteDocument(never, operator)));
    expect(repeats.map(({ position }) => position)).to.deep.equal(repeats.map(() => newest));
    expect(nothing.position).to.equal(null);
    expect(await under.recorded()).to.deep.equal(before);
  });

  it("answer with no older position than what the decision rests on, whoever wrote it", async () => {
    await withPrincipals(commands, {});
    const another = await under.another();
    const renamed = await accepted(another.updateDatasource({ name: wiki, displayName: "Wiki!" }, operator));
    const never = { datasource: wiki, documentId: toDocumentId("never") };
    expect((await accepted(commands.deleteDocument(never, operator))).position).to.equal(renamed.position);
    const created = await accepted(another.createGroup({ datasource: wiki, name: "staff" }, operator));
    const rename = { datasource: wiki, name: "staff", newName: "staff" };
    expect((await accepted(commands.renameGroup(rename, operator))).position).to.equal(created.position);
  });

  it("keep a document's text beside its event", async () => {
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
    await accepted(commands.indexDocument(examples.indexDocument, operator));
    const reference = events.DocumentIndexed.data.content;
    expect((await under.recorded()).at(-1)?.event).to.deep.equal(events.DocumentIndexed);
    expect(await under.under.contents.read({ stream: documentStream(datasourceId, handbook), reference })).to.equal(
      "Welcome.",
    );
    const body = { kind: "text", text: "Goodbye.", mimeType: "text/plain", size: 8 } as const;
    await accepted(commands.indexDocument({ ...examples.indexDocument, body, lastModified: null }, operator));
    const [event] = (await under.recorded()).slice(-1);
    expect(event?.event.type === "DocumentIndexed" && event.event.data.supersededContent).to.deep.equal(reference);
  });

  it("open a new incarnation where a name is registered again: nothing old is in it", async () => {
    const other = await under.another();
    await withPrincipals(commands, { users: [alice], groups: ["staff"] });
    await accepted(commands.deleteDatasource({ name: wiki }, operator));
    const again = await accepted(other.registerDatasource(examples.registerDatasource, operator));
    expect(again.value.datasourceId).not.to.equal(toDatasourceId("incarnation1"));
    expect(await outcome(commands.renameUser(examples.renameUser, operator))).to.equal("UserNotFound");
    expect(await outcome(commands.renameGroup(examples.renameGroup, operator))).to.equal("GroupNotFound");
    expect(await outcome(commands.registerUser(examples.registerUser, operator))).to.equal("accepted");
    const [latest] = (await under.recorded()).slice(-1);
    expect(latest?.stream).to.equal(`user-${again.value.datasourceId}:alice@example.org`);
  });

  describe("refuse", () => {
    const everyCommandOn = (datasource = wiki): readonly ((context: CommandContext) => Promise<string>)[] => [
      (context) => outcome(commands.updateDatasource({ ...examples.updateDatasource, name: datasource }, context)),
      (context) => outcome(commands.deleteDatasource({ name: datasource }, context)),
      (context) => outcome(commands.addSub({ ...examples.addSub, datasource }, context)),
      (context) => outcome(commands.removeSub({ ...examples.removeSub, datasource }, context)),
      (context) => outcome(commands.indexDocument({ ...examples.indexDocument, datasource }, context)),
      (context) => outcome(commands.deleteDocument({ ...examples.deleteDocument, datasource }, context)),
      (context) => outcome(commands.registerUser({ ...examples.registerUser, datasource }, context)),
      (context) => outcome(commands.renameUser({ ...examples.renameUser, datasource }, context)),
      (context) => outcome(commands.createGroup({ ...examples.createGroup, datasource }, context)),
      (context) => outcome(commands.renameGroup({ ...examples.renameGroup, datasource }, context)),
      (context) => outcome(commands.addMembership({ ...examples.addMembership, datasource }, context)),
      (context) => outcome(commands.removeMembership({ ...examples.removeMembership, datasource }, context)),
    ];

    it("whatever names a datasource that does not exist, or no longer", async () => {
      for (const ask of everyCommandOn(absent)) expect(await ask(operator)).to.equal("DatasourceNotFound");
      await withPrincipals(commands, { users: [alice], groups: ["staff"] });
      await accepted(commands.deleteDatasource({ name: wiki }, operator));
      for (const ask of everyCommandOn()) expect(await ask(operator)).to.equal("DatasourceNotFound");
    });

    it("what a service account is not for, whether it exists or not, and write nothing", async () => {
      for (const ask of everyCommandOn(absent)) expect(await ask(elsewhere)).to.equal("DatasourceForbidden");
      expect(await outcome(commands.registerDatasource(examples.registerDatasource, elsewhere))).to.equal(
        "DatasourceForbidden",
      );
      await withPrincipals(commands, { users: [alice], groups: ["staff"] });
      const before = await under.recorded();
      for (const ask of everyCommandOn()) expect(await ask(elsewhere)).to.equal("DatasourceForbidden");
      expect(await outcome(commands.registerDatasource(examples.registerDatasource, elsewhere))).to.equal(
        "DatasourceForbidden",
      );
      expect(await outcome(commands.createGroup({ datasource: wiki, name: "a b" }, elsewhere))).to.equal(
        "DatasourceForbidden",
      );
      expect(await under.recorded()).to.deep.equal(before);
    });

    it("nothing of what a service account is for", async () => {
      const context = limitedTo("other", "wiki");
      expect(await outcome(commands.registerDatasource(examples.registerDatasource, context))).to.equal("accepted");
      expect(await outcome(commands.registerUser(examples.registerUser, context))).to.equal("accepted");
    });

    it("an empty email before it looks for the datasource", async () => {
      const nobody = toEmail("  ");
      expect(
        await outcome(commands.registerUser({ datasource: absent, email: nobody, name: null }, operator)),
      ).to.equal("EmailEmpty");
      expect(await outcome(commands.renameUser({ datasource: absent, email: nobody, name: "x" }, operator))).to.equal(
        "EmailEmpty",
      );
      expect(await outcome(commands.createApiKey({ email: nobody, expiresAt: null, roles: [] }, operator))).to.equal(
        "EmailEmpty",
      );
    });

    it("a group name with whitespace or the reserved prefix before it looks for the datasource", async () => {
      for (const name of ["a b", "Amber-admins"]) {
        expect(await outcome(commands.createGroup({ datasource: absent, name }, operator))).to.equal(
          "GroupNameInvalid",
        );
        expect(
          await outcome(commands.renameGroup({ datasource: absent, name: "staff", newName: name }, operator)),
        ).to.equal("GroupNameInvalid");
      }
    });

    it("a membership for its group, then its member, then itself", async () => {
      await withPrincipals(commands, { users: ["alice@example.org"], groups: ["staff"] });
      const add = (group: string, who: ReturnType<typeof member> | ReturnType<typeof nested>) =>
        outcome(commands.addMembership({ datasource: wiki, group, member: who }, operator));
      const remove = (group: string, who: ReturnType<typeof member> | ReturnType<typeof nested>) =>
        outcome(commands.removeMembership({ datasource: wiki, group, member: who }, operator));
      for (const ask of [add, remove]) {
        expect(await ask("nogroup", member("nobody@x"))).to.equal("GroupNotFound");
        expect(await ask("staff", member("nobody@x"))).to.equal("UserNotFound");
        expect(await ask("staff", member(""))).to.equal("UserNotFound");
        expect(await ask("nogroup", nested("staff"))).to.equal("GroupNotFound");
        expect(await ask("staff", nested("nogroup"))).to.equal("GroupNotFound");
      }
      expect(await remove("staff", member(alice))).to.equal("MembershipNotFound");
      expect(await remove("staff", nested("staff"))).to.equal("MembershipNotFound");
      expect(await add("staff", nested("staff"))).to.equal("MembershipCycle");
      expect([await add("staff", member(alice)), await add("staff", member("ALICE@example.org "))]).to.deep.equal([
        "accepted",
        "MembershipExists",
      ]);
    });
  });

  describe("of credentials", () => {
    it("create one whose secret is in the answer alone", async () => {
      const account = await accepted(commands.createServiceAccount(examples.createServiceAccount, operator));
      const key = await accepted(commands.createApiKey(examples.createApiKey, operator));
      const credentials = [account, key].map(({ value }) => parseCredential(value.credential, "amber"));
      expect(credentials.map((credential) => credential?.kind)).to.deep.equal(["serviceAccount", "apiKey"]);
      expect(credentials.map((credential) => credential?.id)).to.deep.equal([account.value.id, key.value.id]);
      const recorded = await under.recorded();
      const hashes = credentials.map((credential) => hashSecret(credential?.secret ?? ""));
      expect(recorded.map(({ event }) => event)).to.deep.equal([
        {
          type: "ServiceAccountCreated",
          data: { ...events.ServiceAccountCreated.data, id: account.value.id, secretSha256: hashes[0] },
        },
        { type: "ApiKeyCreated", data: { ...events.ApiKeyCreated.data, id: key.value.id, secretSha256: hashes[1] } },
      ]);
      const written = JSON.stringify(recorded.map(({ stream, event, metadata }) => [stream, event, metadata]));
      expect(
        credentials.filter((credential) => credential === null || written.includes(credential.secret)),
      ).to.deep.equal([]);
    });

    it("revoke one once and for all, and none that there is not", async () => {
      const { value: account } = await accepted(commands.createServiceAccount(examples.createServiceAccount, operator));
      const { value: key } = await accepted(commands.createApiKey(examples.createApiKey, operator));
      expect(await outcome(commands.revokeApiKey({ id: account.id }, operator))).to.equal("CredentialNotFound");
      expect(await outcome(commands.revokeServiceAccount({ id: key.id }, operator))).to.equal("CredentialNotFound");
      expect(await outcome(commands.revokeApiKey({ id: apiKeyId }, operator))).to.equal("CredentialNotFound");
      const first = await accepted(commands.revokeServiceAccount({ id: account.id }, operator));
      expect(await accepted(commands.revokeServiceAccount({ id: account.id }, operator))).to.deep.equal(first);
      await accepted(commands.revokeApiKey({ id: key.id }, operator));
      expect((await under.recorded()).slice(2).map(({ event }) => event)).to.deep.equal([
        { type: "ServiceAccountRevoked", data: { id: account.id } },
        { type: "ApiKeyRevoked", data: { id: key.id } },
      ]);
    });

    it("name the product", async () => {
      const other = await under.another({ productName: "topaz" });
      const { value } = await accepted(other.createApiKey(examples.createApiKey, operator));
      const parsed = parseCredential(value.credential, "topaz");
      expect(parsed === null ? null : formatCredential(parsed, "topaz")).to.equal(value.credential);
    });
  });
});
