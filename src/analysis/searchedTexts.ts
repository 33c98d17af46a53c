import type { SearchedField } from "../shared/texts.js";

/** By what a document is named besides its title. */
export interface NamedDocument {
  readonly author: string | null;
  readonly path: string | null;
  readonly pathPreview: string | null;
}

/** What of a document is searched besides its title and text. */
export interface DescribedDocument extends NamedDocument {
  readonly customProperties: readonly { readonly name: string; readonly value: string | number | boolean }[];
}

/** A text that is searched, and of which field it is. */
export interface SearchedText {
  readonly field: SearchedField;
  readonly text: string;
}

/**
 * The texts by which people look for a document besides its title and text: the values of its searchable properties, in
 * its order, what the file is called, as the ends of path and address say, the author, and the folders of the path. All
 * of them are shown in results or metadata anyway. Names are distinct, as texts.
 */
export function searchedTextsOf(document: DescribedDocument, searchable: ReadonlySet<string>): readonly SearchedText[] {
  const properties = document.customProperties
    .filter(({ name }) => searchable.has(name))
    .map(({ value }) => ({ field: "property" as const, text: String(value) }));
  return [...properties, ...searchedNamesOf(document)];
}

/** All texts of a document whose words people may be shown, its title first. */
export const readableTextsOf = (
  document: DescribedDocument & { readonly title: string; readonly text: string },
): readonly string[] => [
  document.title,
  ...document.customProperties.map(({ value }) => String(value)),
  ...searchedNamesOf(document).map(({ text }) => text),
  document.text,
];

/** Its author, what its file is called, and the folders that it is in: distinct, as texts. */
export function searchedNamesOf({ author, path, pathPreview }: NamedDocument): readonly SearchedText[] {
  const names: readonly SearchedText[] = [
    { field: "file_name", text: path === null ? "" : lastSegment(path) },
    { field: "file_name", text: pathPreview === null ? "" : fileInAddress(pathPreview) },
    { field: "author", text: author ?? "" },
    {
      field: "folder",
      text: segmentsOf(path ?? "")
        .slice(0, -1)
        .join(betweenFolders),
    },
  ];
  const isFirst = ({ text }: SearchedText, index: number): boolean =>
    names.findIndex((other) => other.text === text) === index;
  return names.filter((name, index) => name.text.trim() !== "" && isFirst(name, index));
}

/** A name of one folder does not go on in the next. */
const betweenFolders = " > ";

/** The segments of a path of folders, or of a breadcrumb trail. */
const segmentsOf = (path: string): readonly string[] =>
  path.split(/[/\\]+|\s>\s/u).filter((segment) => segment.trim() !== "");

const lastSegment = (path: string): string => segmentsOf(path).at(-1) ?? "";

/** How pages and programs end that show what their query names. */
const page =
  /\.(?:action|[aj]spx?|a[sx][hm]x|axd|cf[cm]|cgi|dll|do|exe|faces|jsf|nsf|p?html?|php\d?|pl|py|[sx]html?|svc)$/iu;

const file = /[^.]\.(?=\w*\p{L})\w{1,5}$/u;

/**
 * Empty where the address names the document in its query: the path is then that of a program. A file is named
 * nevertheless, with what is to be done with it behind it (`Report.xlsx?web=1`).
 */
function fileInAddress(address: string): string {
  if (!URL.canParse(address)) return "";
  const { pathname, search } = new URL(address);
  const name = decoded(lastSegment(pathname));
  return search === "" || (file.test(name) && !page.test(name)) ? name : "";
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
