import type { ApiClient } from "../support/apiClient.js";

export const datasource = "durable";
export const datasourceGroup = "readers";
export const reader = "reader@example.org";

/** What clients have been answered with 200, over all lives of the server. */
export class Answered {
  readonly documents = new Set<string>();
  readonly restricted = new Set<string>();
  readonly users = new Set<string>();
  readonly members = new Set<string>();
  /** Every document that was ever sent, answered or not. */
  readonly attempted = new Set<string>();
  private requests = 0;
  private readonly waiting = new Set<() => void>();

  /** Notes that one more request was answered with 200. */
  note(): void {
    this.requests++;
    for (const look of this.waiting) look();
  }

  /** Resolves once so many more requests were answered. */
  async more(count: number): Promise<void> {
    const enough = this.requests + count;
    while (this.requests < enough)
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.waiting.delete(look);
          resolve();
        };
        this.waiting.add(look);
      });
  }
}

/** Numbers that never repeat, so that every push is a new document or person. */
let serial = 0;

/**
 * Four clients push until the connection breaks: single documents, arrays, restricted documents, and people with their
 * memberships. What is answered is noted; what is not may have happened or not.
 */
export async function pushUntilBroken(client: ApiClient, answered: Answered): Promise<void> {
  const pushers = [pushOne, pushArray, pushRestricted, pushPerson];
  await Promise.all(pushers.map((push) => repeatUntilBroken(() => push(client, answered), answered)));
}

async function repeatUntilBroken(push: () => Promise<void>, answered: Answered): Promise<void> {
  for (;;) {
    try {
      await push();
      answered.note();
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function pushOne(client: ApiClient, answered: Answered): Promise<void> {
  const document = newDocument(answered);
  await post(client, "/documents", { documents: document });
  answered.documents.add(document.id);
}

async function pushArray(client: ApiClient, answered: Answered): Promise<void> {
  const documents = Array.from({ length: 10 }, () => newDocument(answered));
  await post(client, "/documents", { documents });
  for (const { id } of documents) answered.documents.add(id);
}

async function pushRestricted(client: ApiClient, answered: Answered): Promise<void> {
  const document = { ...newDocument(answered), permissions: { allowed_groups: [datasourceGroup] } };
  await post(client, "/documents", { documents: document });
  answered.documents.add(document.id);
  answered.restricted.add(document.id);
}

async function pushPerson(client: ApiClient, answered: Answered): Promise<void> {
  const email = `person${++serial}@example.org`;
  await post(client, "/users", { datasource, user: { email } });
  answered.users.add(email);
  await post(client, "/memberships", { datasource, membership: { group_name: datasourceGroup, member_email: email } });
  answered.members.add(email);
}

function newDocument(
  answered: Answered,
): { readonly id: string; readonly datasource: string } & Record<string, unknown> {
  const id = `document${++serial}`;
  answered.attempted.add(id);
  return {
    datasource,
    id,
    title: `Survivor ${id}`,
    file_type: "page",
    body: { mime_type: "text/plain", text_content: "It was answered, so it is there." },
  };
}

/**
 * Throws a TypeError where the connection broke (that is how fetch says it), an Error where the answer is no success.
 */
async function post(client: ApiClient, path: string, body: object): Promise<void> {
  const answer = await client.post(`/api/indexing${path}`, body);
  if (answer.status !== 200)
    throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
