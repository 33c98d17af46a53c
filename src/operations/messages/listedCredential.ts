/** What lists tell of a credential of either kind, besides what only one kind has. */
export interface ListedCredential {
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
}
