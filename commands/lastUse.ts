/** That a credential was used, as it is to be noted. */
export interface Use {
  /** ISO instant. */
  readonly usedAt: string;
  /** Uses that are no further apart than this are one. */
  readonly everyMs: number;
}

/** Whether a use is to be written down, after the newest that is; null: none is. */
export const isWorthNoting = ({ usedAt, everyMs }: Use, lastUsedAt: string | null): boolean =>
  lastUsedAt === null || Date.parse(usedAt) - Date.parse(lastUsedAt) >= everyMs;
