/** Why a page is not read; for those who carry the project on, nobody is told. */
export class PageNotRead extends Error {
  override readonly name = "PageNotRead";
}
