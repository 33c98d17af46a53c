import { words } from "../words.js";
import { Instant } from "./instant.js";
import type { Column } from "./table.js";

const say = words({
  en: {
    ...{ active: "Active", enabled: "Active", expired: "Expired", revoked: "Revoked", disabled: "Disabled" },
    state: "State",
    expires: "Expires",
    never: "Never",
    lastUsed: "Last used",
    unused: "Not yet",
  },
  de: {
    ...{ active: "Aktiv", enabled: "Aktiv", expired: "Abgelaufen", revoked: "Widerrufen", disabled: "Gesperrt" },
    state: "Stand",
    expires: "Läuft ab",
    never: "Nie",
    lastUsed: "Zuletzt benutzt",
    unused: "Noch nicht",
  },
});

const looks = { active: "good", enabled: "good", expired: "warn", revoked: "", disabled: "bad" } as const;
type State = keyof typeof looks;

/** Whether a credential or an account still works. */
export const stateColumn = (): Column<{ readonly state: State }> => ({
  name: say("state"),
  cell: ({ state }) => <span class={`state ${looks[state]}`}>{say(state)}</span>,
});

/** What is told of every credential. */
interface Credential {
  readonly state: State;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** Whether credentials still work, until when, and when they were used. */
export const credentialColumns = (): readonly Column<Credential>[] => [
  stateColumn(),
  {
    name: say("expires"),
    cell: ({ expires_at: at }) => (at === null ? say("never") : <Instant at={at} />),
  },
  {
    name: say("lastUsed"),
    cell: ({ last_used_at: at }) => (at === null ? say("unused") : <Instant at={at} />),
  },
];

/** Those that work first, the newest of them on top. */
export const workingFirst = <Listed extends Credential>(credentials: readonly Listed[]): readonly Listed[] =>
  credentials.toReversed().sort((one, other) => Number(other.state === "active") - Number(one.state === "active"));
