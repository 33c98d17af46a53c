import { parseHTML } from "linkedom";

/** An element of a page, as far as readers look at it. */
export interface PageElement {
  readonly nodeName: string;
  readonly children: Iterable<PageElement>;
  readonly firstElementChild: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  readonly parentElement: PageElement | null;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}

/** A page as a tree. */
export interface PageDocument {
  readonly documentElement: PageElement | null;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** Takes a page apart. Nothing of it runs, and nothing is fetched. */
export const domOf = (page: string): PageDocument =>
  (parseHTML(page) as unknown as { readonly document: PageDocument }).document;
