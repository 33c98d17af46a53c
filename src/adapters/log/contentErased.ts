/** A content that was whole when its reading began was erased before its end. */
export class ContentErased extends Error {
  override readonly name = "ContentErased";

  constructor() {
    super("The content was erased while it was read.");
  }
}
