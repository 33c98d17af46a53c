import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import {
  datasourceSlots,
  documentIds,
  people,
  spell,
  type Access,
  type Action,
  type DatasourceSlot,
  type DocumentPush,
  type Look,
  type Member,
  type Person,
  type Step,
} from "./actions.js";
import { VisibilityModel, type Expected } from "./visibilityModel.js";

/** One lane of runs: people of its own, whose stories follow one another. */
export interface Lane {
  readonly indexing: ApiClient;
  readonly clients: Readonly<Record<Person, ApiClient>>;
  readonly emailOf: (person: Person) => string;
}

interface Found {
  readonly results: readonly { readonly id: string; readonly title: string }[];
  readonly total: number;
}

/** Tells one story to the service and to the model at once, and compares every answer. */
export class ModelRun {
  private readonly model = new VisibilityModel();

  /** `name` makes datasource names that no other run has. */
  constructor(
    private readonly lane: Lane,
    private readonly name: string,
  ) {}

  async tell(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.type === "search" || step.type === "checkAccess" || step.type === "metadata") await this.look(step);
      else expect(await this.act(step)).to.deep.equal(this.model.apply(step), JSON.stringify(step));
    }
    await this.lookEverywhere();
  }

  /** Takes the run's datasources away: whatever of them stays visible is a leak that the next run sees. */
  async cleanUp(): Promise<void> {
    for (const slot of datasourceSlots)
      await this.lane.indexing.delete(`/api/indexing/datasources/${this.nameOf(slot)}`);
  }

  private async lookEverywhere(): Promise<void> {
    const looks = people.flatMap((person): Look[] => [
      { type: "search", person, only: null },
      ...documentIds.map((id): Look => ({ type: "checkAccess", datasource: "a", id, person, spelling: 0 })),
    ]);
    const single = documentIds.map((id, index): Look => ({
      type: "metadata",
      datasource: "a",
      id,
      person: people[index % people.length] ?? "ada",
    }));
    await Promise.all([...looks, ...single].map((look) => this.look(look)));
  }

  private look(look: Look): Promise<void> {
    if (look.type === "search") return this.search(look.person, look.only);
    return look.type === "checkAccess" ? this.checkAccess(look) : this.metadata(look);
  }

  private async search(person: Person, only: DatasourceSlot | null): Promise<void> {
    const filter = only === null ? "" : `&data_source=${this.nameOf(only)}`;
    const answer = await this.lane.clients[person].get<Found>(`/api/beta/search?query=quarterly&count=100${filter}`);
    // A datasource that is not there finds nothing: nobody learns which there are.
    expect(answer.status).to.equal(200);
    const expected = Object.entries(this.model.visibleTo(person)).filter(
      ([id]) => only === null || id.startsWith(`${only}/`),
    );
    const found = answer.body.results.map(({ id, title }) => [this.slotted(id), title]).toSorted();
    expect(found).to.deep.equal(expected, `what ${person} finds in ${only ?? "everything"}`);
    expect(answer.body.total).to.equal(expected.length, `the total that ${person} is told`);
  }

  private async checkAccess({ datasource, id, person, spelling }: Look & { type: "checkAccess" }): Promise<void> {
    const question = {
      datasource: this.nameOf(datasource),
      document_id: id,
      user_email: spell(this.lane.emailOf(person), spelling),
    };
    const answer = await this.lane.indexing.post<{ has_access?: boolean }>(
      "/api/indexing/documents/check-access",
      question,
    );
    const expected = this.model.mayAccess(datasource, id, person);
    const actual = answer.status === 200 ? answer.body.has_access : answer.status;
    expect(actual).to.equal(expected ?? 404, `may ${person} see ${datasource}/${id}?`);
  }

  private async metadata({ datasource, id, person }: Look & { type: "metadata" }): Promise<void> {
    const searchId = encodeURIComponent(`${this.nameOf(datasource)}__${id}`);
    const { status } = await this.lane.clients[person].get(`/api/beta/document/metadata?document_id=${searchId}`);
    expect(status).to.equal(
      this.model.mayAccess(datasource, id, person) === true ? 200 : 404,
      `metadata of ${datasource}/${id} for ${person}`,
    );
  }

  private async act(action: Action): Promise<Expected> {
    const { status, body } = await this.send(action);
    const { results } = (body ?? {}) as { results?: readonly { outcome: string }[] };
    return status === 200 && results !== undefined
      ? { status, outcomes: results.map(({ outcome }) => outcome) }
      : { status };
  }

  private send(action: Action): ReturnType<ApiClient["get"]> {
    const { indexing } = this.lane;
    if (action.type === "indexMany")
      return indexing.post("/api/indexing/documents", { documents: action.documents.map((push) => this.bodyOf(push)) });
    const datasource = this.nameOf(action.datasource);
    switch (action.type) {
      case "registerDatasource":
        return indexing.post("/api/indexing/datasources", { name: datasource, display_name: "Model" });
      case "deleteDatasource":
        return indexing.delete(`/api/indexing/datasources/${datasource}`);
      case "registerUser":
        return indexing.post("/api/indexing/users", {
          datasource,
          user: { email: this.email(action.person, action.spelling) },
        });
      case "renameUser":
        return indexing.put(
          `/api/indexing/users/${datasource}/${encodeURIComponent(this.email(action.person, action.spelling))}`,
          { name: "New" },
        );
      case "deleteUser":
        return indexing.delete(
          `/api/indexing/users/${datasource}/${encodeURIComponent(this.email(action.person, action.spelling))}`,
        );
      case "deleteGroup":
        return indexing.delete(`/api/indexing/groups/${datasource}/${action.group}`);
      case "createGroup":
        return indexing.post("/api/indexing/groups", { datasource, group: { name: action.group } });
      case "renameGroup":
        return indexing.put(`/api/indexing/groups/${datasource}/${action.group}`, { group_name: action.newName });
      case "addMember":
        return indexing.post("/api/indexing/memberships", {
          datasource,
          membership: { group_name: action.group, ...this.memberBody(action.member, action.spelling) },
        });
      case "removeMember":
        return indexing.delete(
          `/api/indexing/memberships/${datasource}/${action.group}/${this.memberPath(action.member, action.spelling)}`,
        );
      case "replaceMembers":
        return indexing.put(`/api/indexing/groups/${datasource}/${action.group}/members`, {
          members: action.members.map((person) => this.memberBody({ person }, action.spelling)),
        });
      case "index":
        return indexing.post("/api/indexing/documents", { documents: this.bodyOf(action.document) });
      case "deleteDocument":
        return indexing.delete(`/api/indexing/documents/${datasource}/${action.id}`);
    }
  }

  private bodyOf({ datasource, id, title, modified, access }: DocumentPush): object {
    return {
      datasource: this.nameOf(datasource),
      id,
      title,
      file_type: "page",
      body: { mime_type: "text/plain", text_content: `the quarterly figures of ${id}` },
      ...(modified === null ? {} : { last_modified: `2024-01-0${modified}T00:00:00Z` }),
      ...(access === null ? {} : { permissions: this.permissionsOf(access) }),
    };
  }

  private permissionsOf({ everyone, people: listed, groups }: Access): object {
    return {
      ...(everyone === undefined ? {} : { allow_anonymous_access: everyone }),
      ...(listed === undefined
        ? {}
        : { allowed_users: listed.map((person, index) => ({ email: this.email(person, index % 3) })) }),
      ...(groups === undefined ? {} : { allowed_groups: groups }),
    };
  }

  private memberBody(member: Member, spelling: number): object {
    return "person" in member
      ? { member_email: this.email(member.person, spelling) }
      : { member_group_name: member.group };
  }

  private memberPath(member: Member, spelling: number): string {
    return "person" in member
      ? `user/${encodeURIComponent(this.email(member.person, spelling))}`
      : `group/${member.group}`;
  }

  private email = (person: Person, spelling: number): string => spell(this.lane.emailOf(person), spelling);

  private nameOf = (slot: DatasourceSlot): string => `${this.name}_${slot}`;

  /** `a/d1` for a document of this run; the whole id for one that has no business here. */
  private slotted(searchId: string): string {
    const slot = datasourceSlots.find((candidate) => searchId.startsWith(`${this.nameOf(candidate)}__`));
    return slot === undefined ? searchId : `${slot}/${searchId.slice(this.nameOf(slot).length + 2)}`;
  }
}
