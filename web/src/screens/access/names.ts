import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Schemas } from "../../api/client.js";
import { words } from "../../words.js";

const say = words({
  en: { operator: "the command line", account: "{name} (service account)", key: "{name} (key)" },
  de: { operator: "die Kommandozeile", account: "{name} (Dienstkonto)", key: "{name} (Schlüssel)" },
});

type Named = Schemas["NamedCredential"];

/** Whose credentials are, by id; null while that is asked for, or where nobody knows. */
const known = signal<ReadonlyMap<string, Named | null>>(new Map());

const atOnce = 200;

const isId = (by: string): boolean => by !== "operator" && !by.includes("@");

/** Asks whose these credentials are, unless that is known. */
export function useNames(ids: readonly string[]): void {
  const wanted = [...new Set(ids)].filter((id) => isId(id) && !known.value.has(id)).slice(0, atOnce);
  useEffect(() => {
    if (wanted.length === 0) return;
    note(wanted.map((id) => [id, null]));
    const learn = async (): Promise<void> => {
      const { data } = await api.GET("/api/audit/credentials", { params: { query: { id: wanted } } });
      note((data?.items ?? []).map((named) => [named.id, named]));
    };
    // Without names, ids are shown.
    void learn().catch(() => undefined);
  }, [wanted.join(" ")]);
}

const note = (entries: readonly (readonly [string, Named | null])[]): void => {
  known.value = new Map([...known.value, ...entries]);
};

/** The same for where there is little room: the name alone. */
export const plainNameOfMaker = (by: string): string =>
  by === "operator" ? say("operator") : (known.value.get(by)?.name ?? by);

/** Who made a change, for people: a person's email, a service account's name, or what the log says. */
export function nameOfMaker(by: string): string {
  if (by === "operator") return say("operator");
  const named = known.value.get(by);
  if (named === undefined || named === null) return by;
  return say(named.kind === "service_account" ? "account" : "key", { name: named.name });
}
