/** What lists tell of a credential of either kind, besides what only one kind has. */
export interface ListedCredential {
  created_at: string;
  /** The email of whoever did so in the dashboard; `operator`: on the command line. */
  created_by: string;
  expires_at: string | null;
  /** null: no use was noted. */
  last_used_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
}
