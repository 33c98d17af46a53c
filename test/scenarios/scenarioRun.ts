import { expect } from "chai";
import type { ApiAnswer, ApiClient } from "../support/apiClient.js";
import type { ServiceUnderTest } from "../support/startService.js";
import type { DatasourceInFile, DocumentInFile, Principal, Scenario, StepInFile } from "./scenario.js";

interface Found {
  readonly results: readonly { readonly id: string }[];
}

/**
 * Tells one scenario to the service. Datasources and emails get a suffix, so that scenarios share a service and see
 * nothing of each other.
 */
export class ScenarioRun {
  private readonly clients = new Map<string, ApiClient>();
  private readonly documents = new Set<string>();
  private readonly firstDatasource: string;

  constructor(
    private readonly service: ServiceUnderTest,
    private readonly scenario: Scenario,
    private readonly suffix: string,
  ) {
    this.firstDatasource = Object.keys(scenario.datasources)[0] ?? "";
  }

  async tell(): Promise<void> {
    for (const [name, datasource] of Object.entries(this.scenario.datasources)) await this.setUp(name, datasource);
    for (const [index, step] of this.scenario.steps.entries())
      await this.take(step, `step ${index + 1}: ${JSON.stringify(step)}`);
  }

  private async setUp(name: string, { users = [], groups = {}, documents = {} }: DatasourceInFile): Promise<void> {
    const steps: StepInFile[] = [
      { "register datasource": name },
      ...users.map((register) => ({ register })),
      ...Object.keys(groups).map((create) => ({ create })),
      ...Object.entries(groups).flatMap(([to, members]) => members.map((add) => ({ add, to }))),
      ...Object.entries(documents).map(([index, document]) => ({ index, outcome: "sent", ...document })),
    ];
    for (const step of steps) await this.take({ on: name, ...step }, `given ${JSON.stringify(step)}`);
  }

  private async take(step: StepInFile, place: string): Promise<void> {
    if (step.see !== undefined) return this.see(step.see, place);
    if (step.ask !== undefined) return this.ask(step, place);
    const { status, body } = await this.act(step);
    const said = JSON.stringify(body);
    expect(status, `${place}: ${said}`).to.equal(step.status ?? 200);
    if (step.says !== undefined) expect(said, place).to.contain(step.says);
    if (step.outcome !== undefined)
      expect(
        (body as { results: { outcome: string }[] }).results.map(({ outcome }) => outcome),
        place,
      ).to.deep.equal([step.outcome]);
  }

  private act(step: StepInFile): Promise<ApiAnswer> {
    const { indexing } = this.service;
    const datasource = this.datasource(step.on);
    if (step["register datasource"] !== undefined)
      return indexing.post("/api/indexing/datasources", {
        name: this.datasource(step["register datasource"]),
        display_name: "Scenario",
      });
    if (step.register !== undefined)
      return indexing.post("/api/indexing/users", { datasource, user: { email: this.email(step.register) } });
    if (step.create !== undefined)
      return indexing.post("/api/indexing/groups", { datasource, group: { name: step.create } });
    if (step.rename !== undefined)
      return indexing.put(`/api/indexing/groups/${datasource}/${encodeURIComponent(step.rename)}`, {
        group_name: step.to,
      });
    if (step.add !== undefined)
      return indexing.post("/api/indexing/memberships", {
        datasource,
        membership: { group_name: step.to, ...this.memberBody(step.add) },
      });
    if (step.remove !== undefined)
      return indexing.delete(
        `/api/indexing/memberships/${datasource}/${encodeURIComponent(step.from ?? "")}/${this.memberPath(step.remove)}`,
      );
    const deleted = this.deletedBy(step);
    if (deleted !== null) return indexing.delete(`/api/indexing/${deleted}`);
    if (step.index !== undefined)
      return indexing.post("/api/indexing/documents", { documents: this.documentBody(datasource, step.index, step) });
    throw new Error(`This step says nothing that README.md knows: ${JSON.stringify(step)}`);
  }

  /** The address of what a step deletes as a whole; null: nothing. */
  private deletedBy({ on, ...step }: StepInFile): string | null {
    const datasource = this.datasource(on);
    if (step["delete datasource"] !== undefined) return `datasources/${this.datasource(step["delete datasource"])}`;
    if (step["delete user"] !== undefined)
      return `users/${datasource}/${encodeURIComponent(this.email(step["delete user"]))}`;
    if (step["delete group"] !== undefined) return `groups/${datasource}/${encodeURIComponent(step["delete group"])}`;
    return step.delete === undefined ? null : `documents/${datasource}/${step.delete}`;
  }

  private documentBody(datasource: string, id: string, { for: access, modified, title }: DocumentInFile): object {
    this.documents.add(`${datasource}__${id}`);
    return {
      datasource,
      id,
      title: title ?? id,
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "One of the quarterly documents." },
      ...(modified === undefined ? {} : { last_modified: modified }),
      ...(access === undefined ? {} : { permissions: this.permissions(access) }),
    };
  }

  private permissions(access: readonly Principal[]): object {
    const users = access
      .filter((principal) => principal !== "everyone" && groupOf(principal) === null)
      .map((person) => ({ email: this.email(person) }));
    const groups = access.map(groupOf).filter((group) => group !== null);
    return {
      ...(access.includes("everyone") ? { allow_anonymous_access: true } : {}),
      ...(users.length === 0 ? {} : { allowed_users: users }),
      ...(groups.length === 0 ? {} : { allowed_groups: groups }),
    };
  }

  private async see(expected: Readonly<Record<string, readonly string[]>>, place: string): Promise<void> {
    for (const [person, documents] of Object.entries(expected)) {
      const ids = documents.map((document) => this.searchId(document)).toSorted();
      await this.seeByEveryWay(person, ids, `${place}, ${person}`);
    }
  }

  private async seeByEveryWay(person: string, ids: readonly string[], place: string): Promise<void> {
    const client = await this.client(person);
    const found = await client.get<Found>("/api/beta/search?query=quarterly&count=100");
    expect(found.body.results.map(({ id }) => id).toSorted(), `${place}, by search`).to.deep.equal(ids);
    const known = [...this.documents].toSorted();
    const readable: string[] = [];
    const accessible: string[] = [];
    for (const id of known) {
      const metadata = await client.get(`/api/beta/document/metadata?document_id=${encodeURIComponent(id)}`);
      if (metadata.status === 200) readable.push(id);
      else expect(metadata.status, `${place}, ${id}`).to.equal(404);
      if (await this.hasAccess(id, this.email(person))) accessible.push(id);
    }
    expect(readable, `${place}, by metadata`).to.deep.equal(ids);
    expect(accessible, `${place}, by check-access`).to.deep.equal(ids);
  }

  private async ask({ ask = "", who = "", access }: StepInFile, place: string): Promise<void> {
    expect(await this.hasAccess(this.searchId(ask), this.email(who)), place).to.equal(access);
  }

  /** False too where there is no such document (any more). */
  private async hasAccess(searchId: string, user_email: string): Promise<boolean> {
    const [datasource, document_id] = searchId.split("__");
    const answer = await this.service.indexing.post<{ has_access?: boolean }>("/api/indexing/documents/check-access", {
      datasource,
      document_id,
      user_email,
    });
    expect(answer.status).to.be.oneOf([200, 404]);
    return answer.status === 200 && answer.body.has_access === true;
  }

  private async client(person: string): Promise<ApiClient> {
    const known = this.clients.get(person) ?? (await this.service.person(this.email(person)));
    this.clients.set(person, known);
    return known;
  }

  private searchId(document: string): string {
    const [first, second] = document.split("/");
    return second === undefined ? `${this.datasource()}__${first}` : `${this.datasource(first)}__${second}`;
  }

  private memberBody(member: Principal): object {
    const group = groupOf(member);
    return group === null ? { member_email: this.email(member) } : { member_group_name: group };
  }

  private memberPath(member: Principal): string {
    const group = groupOf(member);
    return group === null ? `user/${encodeURIComponent(this.email(member))}` : `group/${encodeURIComponent(group)}`;
  }

  private datasource = (name = this.firstDatasource): string => `${name}_${this.suffix}`;

  /** Keeps the capitals and blanks that the scenario writes. */
  private email = (person: string): string => person.replace(/\S+/, (local) => `${local}@${this.suffix}.example.org`);
}

function groupOf(principal: Principal): string | null {
  return principal.startsWith("group:") ? principal.slice("group:".length) : null;
}
