/**
 * Thrown at the start where the data folder is not one to work on: there is no data in it, or it is another user's. The
 * message is a sentence that says what to do.
 */
export class UnusableDataFolder extends Error {
  override readonly name = "UnusableDataFolder";
}
