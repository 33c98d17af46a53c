import { signal } from "@preact/signals";
import { api, headersOf, noticeAnswer, sentenceOf, type Schemas } from "../../api/client.js";

/** A file that goes with the questions of the conversation. */
export interface AttachedFile {
  readonly key: number;
  readonly name: string;
  /** Its id once it is uploaded. */
  readonly id: string | null;
  readonly fault: string | null;
}

/** The files of the conversation. */
export const files = signal<readonly AttachedFile[]>([]);

/** How many files a question may have. */
const most = 20;
let nextKey = 1;

/** Those that are uploaded. */
export const readyFiles = (): readonly (AttachedFile & { readonly id: string })[] =>
  files.value.flatMap((file) => (file.id === null ? [] : [{ ...file, id: file.id }]));

/** Whether a file is still on its way. */
export const isUploading = (): boolean => files.value.some(({ id, fault }) => id === null && fault === null);

/** Uploads files; more than a question may have are left out. */
export async function attach(chosen: readonly File[]): Promise<void> {
  const room = Math.max(0, most - files.value.length);
  await Promise.all(chosen.slice(0, room).map(upload));
}

async function upload(file: File): Promise<void> {
  const key = nextKey++;
  files.value = [...files.value, { key, name: file.name, id: null, fault: null }];
  const type = file.type.startsWith("image/") ? "image" : "document";
  const url = `/api/beta/files/upload?type=${type}`;
  const form = new FormData();
  form.append("file", file);
  const answer = await fetch(url, { method: "POST", headers: headersOf("POST"), body: form }).catch(() => null);
  if (answer !== null) noticeAnswer("POST", url, answer);
  const told: unknown = await answer?.json().catch(() => null);
  const outcome = answer?.ok === true ? { id: (told as Schemas["FileAnswer"]).id } : { fault: sentenceOf(told) };
  files.value = files.value.map((each) => (each.key === key ? { ...each, ...outcome } : each));
}

/** Takes a file out of the conversation, and erases what was uploaded. */
export async function detach({ key, id }: AttachedFile): Promise<void> {
  files.value = files.value.filter((each) => each.key !== key);
  if (id !== null) await api.DELETE("/api/beta/files/{id}", { params: { path: { id } } });
}
