import { computed, signal } from "@preact/signals";
import { api, sentenceOf, type Schemas } from "./api/client.js";
import { session, type Session } from "./api/signedIn.js";

export { session } from "./api/signedIn.js";

/** What somebody may do besides searching. */
export type Role = Session["roles"][number];

/** How one can sign in here. */
export const options = signal<Schemas["SessionOptionsAnswer"] | null>(null);

/** What the product is called. */
export const productName = computed(() => options.value?.product ?? "search");

/** Whether the person who is signed in has every one of these roles. */
export const has = (...roles: readonly Role[]): boolean =>
  roles.every((role) => session.value?.roles.includes(role) === true);

/** Asks the service who is signed in. */
export async function askSession(): Promise<void> {
  const [asked, offered] = await Promise.all([api.GET("/api/session"), api.GET("/api/session/options")]);
  options.value = offered.data ?? null;
  session.value = asked.data ?? null;
}

/** Signs in with a password. null where it worked, else a sentence that says what to do. */
export const signIn = async (email: string, password: string): Promise<string | null> =>
  begin(await api.POST("/api/session", { body: { email, password } }));

/** Signs in with a one-time link, and sets the password. null where it worked, else a sentence. */
export const redeemLink = async (link: Schemas["UseLinkMessage"]): Promise<string | null> =>
  begin(await api.POST("/api/session/link", { body: link }));

/** Changes one's own password, which ends the other sessions. null where it worked, else a sentence. */
export const changePassword = async (current: string, next: string): Promise<string | null> =>
  begin(await api.POST("/api/session/password", { body: { current, new: next } }));

function begin({ data, error }: { readonly data?: Session; readonly error?: unknown }): string | null {
  if (data === undefined) return sentenceOf(error);
  session.value = data;
  return null;
}

/** Signs out: here, or everywhere. */
export async function signOut(where: "here" | "everywhere"): Promise<void> {
  await (where === "here" ? api.DELETE("/api/session") : api.DELETE("/api/session/everywhere"));
  session.value = null;
}
