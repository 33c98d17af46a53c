/** Thrown where a backup cannot be made or restored as it was asked for; nothing was changed. The message is a sentence. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}
