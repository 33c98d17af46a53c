import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Checkpointed } from "../../../queries/ports.js";
import { createVerification } from "../../../src/operations/verify/createVerification.js";
import type { VerifiedReadModel, Provable } from "../../../src/operations/verify/provable.js";
import { provableHistory, provableReadModel } from "../../../src/operations/verify/provableReadModel.js";
import type { DriftAnswer, VerificationAnswer } from "../../../src/operations/verify/verification.js";
import { readModelNames, type ReadModelName } from "../../../src/events/projection.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import { eventsOn } from "../../support/accessLanguage.js";
import type { Damage } from "../../support/damage.js";
import { events } from "../../support/examples.js";
import { documentsIn } from "../../support/documentLanguage.js";
import { tokens } from "../../support/readModelWriters.js";
import { describeOnServedEngines } from "../../support/servedEngines.js";
import type { ServedReadModels } from "../../support/servedReadModels.js";

const wiki = eventsOn("wiki");

const expectedOf = (subject: string, kind: DriftAnswer["kind"], aspect: string) => ({ subject, kind, aspect });

/** What each damage shows as. */
const damages: Readonly<
  Record<keyof Omit<Damage, "suspendDatasource">, { readonly name: ReadModelName; readonly drift: readonly object[] }>
> = {
  widenDocument: { name: "search", drift: [expectedOf("wiki/secret", "document", "access")] },
  dropDocument: { name: "search", drift: [expectedOf("wiki/open", "document", "presence")] },
  replaceText: { name: "search", drift: [expectedOf("wiki/secret", "document", "text")] },
  forgetAccessClass: { name: "search", drift: [expectedOf("wiki/secret", "document", "presence")] },
  bringBackDocument: { name: "search", drift: [expectedOf("wiki/gone", "document", "presence")] },
  nestGroup: {
    name: "groupClosure",
    drift: [expectedOf("cooks on wiki", "group", "principals"), expectedOf("carl@example.org", "person", "principals")],
  },
  joinPerson: { name: "groupClosure", drift: [expectedOf("bob@example.org", "person", "principals")] },
  renameDatasource: { name: "catalogue", drift: [expectedOf("wiki", "datasource", "displayName")] },
  plantDocument: { name: "search", drift: [expectedOf("wiki/planted", "document", "presence")] },
  plantPerson: { name: "groupClosure", drift: [expectedOf("mallory@example.org", "person", "principals")] },
  plantGroup: { name: "groupClosure", drift: [expectedOf("moles on wiki", "group", "presence")] },
  plantDatasource: { name: "catalogue", drift: [expectedOf("shadow", "datasource", "presence")] },
  plantKey: { name: "credentials", drift: [expectedOf("skeleton", "credential", "presence")] },
  reviveKey: { name: "credentials", drift: [expectedOf("key", "credential", "revokedAt")] },
  enableAccount: {
    name: "credentials",
    drift: [expectedOf("account alice@example.org", "credential", "disabledAt")],
  },
  takeSession: { name: "credentials", drift: [expectedOf("session session1", "credential", "email")] },
};

const sessionOf = (id: string, expiresAt: string): DomainEvent => ({
  type: "SessionStarted",
  data: { ...events.SessionStarted.data, id: id as never, expiresAt },
});

/** What is served of it, in the only version that there is. */
function verifiedBy({ readers, history }: ServedReadModels, name: string): VerifiedReadModel {
  const { search, access, catalogue, credentials } = readers as Required<typeof readers>;
  const provenBy = <Reader extends Checkpointed>(provable: Provable<Reader>, reader: Reader): VerifiedReadModel => ({
    progress: reader,
    prove: async (look) => ({ proof: provable.prove(look, reader, reader), close: () => undefined }),
  });
  if (name === "search") return provenBy(provableReadModel("search"), search);
  if (name === "groupClosure") return provenBy(provableReadModel("access"), access);
  if (name === "catalogue") return provenBy(provableReadModel("catalogue"), catalogue);
  if (name === "credentials") return provenBy(provableReadModel("credentials"), credentials);
  return provenBy(
    provableHistory(() => history.open()),
    history.clock,
  );
}

/** Engines that search a copy tell of that copy. */
const aspectOf = (aspect: string, damage: string): string => {
  if (aspect !== "found in searches" && !(aspect === "principals" && damage === "widenDocument")) return aspect;
  return damage === "widenDocument" ? "access" : "presence";
};

describe("the verification of what is served", () => {
  describeOnServedEngines((open, damageOf) => {
    let served: ServedReadModels;
    beforeEach(async () => {
      served = await open();
      const { indexed, deleted } = documentsIn(served.texts);
      const incarnation = wiki.datasource;
      await served.follow([
        wiki.opened(),
        wiki.created("pilots"),
        wiki.created("crew"),
        wiki.created("cooks"),
        wiki.registered("ada"),
        wiki.registered("bob"),
        wiki.registered("carl"),
        wiki.joins("ada", "pilots"),
        wiki.nests("pilots", "crew"),
        wiki.joins("carl", "cooks"),
        indexed(incarnation, "open"),
        indexed(incarnation, "secret", { access: { groups: ["crew"] } }),
        indexed(incarnation, "gone"),
        deleted(incarnation, "gone"),
        {
          type: "ApiKeyCreated",
          data: { id: "key" as never, email: wiki.email("ada"), secretSha256: "hash", expiresAt: null, roles: [] },
        },
        { type: "ApiKeyRevoked", data: { id: "key" as never } },
        events.ServiceAccountCreated,
        events.ServiceAccountRotated,
        events.ServiceAccountUsed,
        ...[events.AccountCreated, events.AccountPasswordSet, events.AccountRoleTaken, events.AccountDisabled],
        ...[sessionOf("expired", "2026-01-01T00:00:00.000Z"), sessionOf("over", "2030-01-01T00:00:00.000Z")],
        { type: "SessionEnded", data: { id: "over" as never } },
        ...[events.SessionStarted, events.SessionUsed],
      ]);
    });
    afterEach(() => served.close());

    const verify = async (name: ReadModelName, withRepair = false): Promise<VerificationAnswer> => {
      const verification = createVerification({
        log: served.log,
        tokens,
        readModel: (projection) => verifiedBy(served, projection),
        versionsOf: () => ({ live: 1, underWay: null, kept: [] }),
        rest: () => nextTurn(),
        parked: async (projection) =>
          projection === "permissionHistory"
            ? served.history.clock.parked()
            : (await served.parked()).filter((event) => event.projection === projection),
        patienceMs: { reach: 5_000, repair: 5_000 },
      });
      const repair = async (version: number, scopes: readonly string[]) => {
        await served.follow([{ type: "ReadModelRepairRequested", data: { projection: name, version, scopes } }]);
        return served.log.end;
      };
      const answer = await verification.verify({ name, sample: 1, seed: "" }, withRepair ? repair : null);
      if (!answer.ok) throw new Error(answer.error.type);
      return answer.value;
    };
    const aspectsOf = (drift: readonly DriftAnswer[], damage: string): readonly object[] =>
      drift.map(({ kind, subject, differences }) =>
        expectedOf(subject, kind, aspectOf(differences[0]?.aspect ?? "", damage)),
      );

    it("finds nothing where nothing is damaged, and then repairs nothing", async () => {
      const before = served.log.end;
      for (const name of readModelNames) {
        const { drift, remaining } = await verify(name, true);
        expect({ drift, remaining }).to.deep.equal({ drift: [], remaining: [] });
      }
      expect(served.log.end).to.equal(before);
    });

    for (const [damage, { name, drift }] of Object.entries(damages)) {
      it(`finds, names and repairs: ${damage}`, async () => {
        await damageOf(served)[damage as keyof Damage]();
        const found = await verify(name);
        expect(aspectsOf(found.drift, damage)).to.deep.equal(drift);
        const repaired = await verify(name, true);
        expect(aspectsOf(repaired.drift, damage)).to.deep.equal(drift);
        expect(repaired.remaining).to.deep.equal([]);
        expect((await verify(name)).drift).to.deep.equal([]);
        expect((await served.compare()).drift).to.deep.equal([]);
      });
    }

    it("finds nothing wrong with people who belong to a deleted group", async () => {
      await served.follow([
        {
          type: "GroupDeleted",
          data: { datasourceId: wiki.datasourceId, groupId: wiki.groupId("cooks"), name: "cooks" },
        },
      ]);
      expect((await verify("groupClosure")).drift).to.deep.equal([]);
    });

    it("finds and repairs a datasource that answers nobody for no reason", async () => {
      await damageOf(served).suspendDatasource();
      expect((await verify("groupClosure", true)).suspended).to.deep.equal(["wiki"]);
      expect((await verify("groupClosure")).suspended).to.deep.equal([]);
      expect((await served.compare()).drift).to.deep.equal([]);
    });

    it("repairs nothing that is closed because an event is parked: that is to be retried", async () => {
      await served.follow(
        [wiki.joins("bob", "crew")],
        ({ event }) => event.type === "MembershipAdded" && event.data.groupId === wiki.groupId("crew"),
      );
      expect((await verify("groupClosure", true)).suspended).to.deep.equal(["wiki"]);
      expect((await served.parked()).length).to.equal(1);
    });
  });
});
