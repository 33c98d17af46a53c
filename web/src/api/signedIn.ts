import { signal } from "@preact/signals";
import type { components } from "../../../dist/api/schema.js";

/** Who is signed in, as the API tells it. */
export type Session = components["schemas"]["SessionAnswer"];

/** Who is signed in; null: nobody; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);
