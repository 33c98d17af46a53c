import { match } from "ts-pattern";
import type { SessionEvent, SessionStarted } from "../../src/events/session.js";
import type { CredentialId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import { isWorthNoting, type Use } from "../command.js";

export interface SessionState {
  readonly status: "absent" | "active" | "ended";
  readonly lastUsedAt: string | null;
}

export type SessionCommand =
  | { readonly type: "StartSession"; readonly started: SessionStarted["data"] }
  | ({ readonly type: "NoteSessionUsed"; readonly id: CredentialId } & Use)
  | { readonly type: "EndSession"; readonly id: CredentialId };

export const initialState = (): SessionState => ({ status: "absent", lastUsedAt: null });

/** Ended is for good. */
export function evolve(state: SessionState, event: SessionEvent): SessionState {
  return match(event)
    .returnType<SessionState>()
    .with({ type: "SessionStarted" }, () => ({ status: "active", lastUsedAt: null }))
    .with({ type: "SessionUsed" }, ({ data: { usedAt } }) => ({ ...state, lastUsedAt: usedAt }))
    .with({ type: "SessionEnded" }, () => ({ ...state, status: "ended" }))
    .exhaustive();
}

/** Ids are minted at random, so an id that is there already is this same start, come again. */
export function decide(command: SessionCommand, { status, lastUsedAt }: SessionState): Decision<SessionEvent> {
  return match(command)
    .returnType<Decision<SessionEvent>>()
    .with({ type: "StartSession" }, ({ started }) =>
      ok(status === "absent" ? [{ type: "SessionStarted", data: started }] : []),
    )
    .with({ type: "NoteSessionUsed" }, ({ id, usedAt, everyMs }) =>
      ok(
        status === "active" && isWorthNoting({ usedAt, everyMs }, lastUsedAt)
          ? [{ type: "SessionUsed", data: { id, usedAt } }]
          : [],
      ),
    )
    .with({ type: "EndSession" }, ({ id }) => {
      if (status === "absent") return failed({ type: "CredentialNotFound", id });
      return ok(status === "active" ? [{ type: "SessionEnded", data: { id } }] : []);
    })
    .exhaustive();
}

export const sessionAggregate: Aggregate<SessionState, SessionEvent> = { initialState, evolve, cacheCost: () => 1 };
