import { documentIdOf } from "./documentIdOf.js";
import type { Permissions } from "./accessRules.js";
import type { FormattedFile, TextFile } from "./readFile.js";
import { titleOf } from "./titleOf.js";
import { withoutTrailing } from "../../shared/cutText.js";

/** A document as `POST /api/indexing/documents` takes it (spec: Document). */
export interface PushedDocument {
  readonly datasource: string;
  readonly id: string;
  readonly title: string;
  readonly body:
    | { readonly mime_type: string; readonly text_content: string }
    | { readonly mime_type: string; readonly binary_base64: string };
  readonly file_type: "markdown" | "webpage" | "file";
  readonly path: string;
  readonly path_preview?: string;
  readonly last_modified: string;
  /** Left out: visible to whom the datasource's `default_access` says. */
  readonly permissions?: Permissions;
}

export interface DocumentSource {
  readonly datasource: string;
  /** Relative to the imported folder, with `/`. */
  readonly path: string;
  readonly file: TextFile | FormattedFile;
  /** Where the folder can be opened in a browser; null: nowhere. */
  readonly linkPrefix: string | null;
}

const maxPathLength = 2_048;

/** The document of a file, without permissions. Its `last_modified` is the file's, so that an unchanged file answers `already_indexed`. */
export function documentOf({ datasource, path, file, linkPrefix }: DocumentSource): PushedDocument {
  const link =
    linkPrefix === null
      ? ""
      : `${withoutTrailing(linkPrefix, "/")}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    datasource,
    id: documentIdOf(path),
    title: titleOf(path, file.mimeType, file.kind === "text" ? file.text : ""),
    body: bodyOf(file),
    file_type: fileTypeOf(file.mimeType),
    path: [...path].slice(-maxPathLength).join(""),
    ...(link !== "" && link.length <= maxPathLength ? { path_preview: link } : {}),
    last_modified: file.lastModified,
  };
}

/** The document without what it says, which does not matter to whether a push would open it. */
export const withoutText = (document: PushedDocument): PushedDocument => ({
  ...document,
  title: "",
  body: { mime_type: "text/plain", text_content: "" },
});

/** Marked-up text goes as it is, as any file does for the service to read; everything else is its own text. */
function bodyOf(file: TextFile | FormattedFile): PushedDocument["body"] {
  const { mimeType, bytes } = file;
  return file.kind === "text" && !isMarkedUp(mimeType)
    ? { mime_type: mimeType, text_content: file.text }
    : { mime_type: mimeType, binary_base64: bytes.toString("base64") };
}

const isMarkedUp = (mimeType: string): boolean => isHtml(mimeType) || /[/+](xml|json)$/.test(mimeType);

function fileTypeOf(mimeType: string): PushedDocument["file_type"] {
  if (isHtml(mimeType)) return "webpage";
  return mimeType === "text/markdown" ? "markdown" : "file";
}

const isHtml = (mimeType: string): boolean => mimeType === "text/html" || mimeType === "application/xhtml+xml";
