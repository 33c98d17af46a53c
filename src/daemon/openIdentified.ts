import type { Storage } from "./ports.js";

/** What was opened, and which storage it is. */
export type Identified<Opened> = Opened & {
  /** As of `Storage.identity`. */
  readonly identity: string | null;
};

/**
 * Opens a version, and tells which storage was opened. One that is put in its place meanwhile, or that was missing, is
 * opened once more: the identity of the other one would hide for good that they were exchanged.
 */
export async function openIdentified<Opened extends { close(): Promise<void> | void }>(
  storage: Pick<Storage<never, never>, "identity">,
  version: number,
  open: () => Promise<Opened>,
): Promise<Identified<Opened>> {
  for (;;) {
    const identity = storage.identity(version);
    const opened = await open();
    if (storage.identity(version) === identity) return { ...opened, identity };
    await opened.close();
  }
}
