import { json } from "typia";
import type { FilePage, ListedFile } from "../../readModels/uploadedFiles.js";
import { uploadTypes, type UploadType } from "../../events/file.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import { echo, missing, notInEnum } from "../validation/issue.js";
import { answerMessage } from "../validation/message.js";

/** An uploaded file (spec: Uploaded file record). */
export interface FileAnswer {
  id: string;
  type: "document" | "image";
  name: string;
  source: "uploaded_file";
  created_at: string;
  /** Bytes. */
  size: number;
}

/** Answer of `GET /api/beta/files`. */
export interface FilesAnswer {
  files: FileAnswer[];
  /** Only where there is another page. */
  next?: string;
}

export const fileAnswer = answerMessage(json.schema<FileAnswer>());
export const filesAnswer = answerMessage(json.schema<FilesAnswer>());

/** What a file is uploaded as. */
export const uploadQuery: QueryParameters<{ readonly type: UploadType }> = {
  parameters: [
    inQuery("type", "What the file is; it has to be that by its content.", { type: "string", enum: uploadTypes }, true),
  ],
  check(parameters) {
    const given = parameters.get("type")?.at(-1);
    if (given === undefined) return failed([missing(["query", "type"])]);
    const type = uploadTypes.find((known) => known === given);
    return type === undefined
      ? failed([{ ...notInEnum(["query", "type"], uploadTypes), ...echo(given) }])
      : ok({ type });
  },
};

/** The record of a file. */
export const toFileAnswer = ({ fileId, uploadType, name, uploadedAt, size }: ListedFile): FileAnswer => ({
  ...{ id: fileId, type: uploadType, name },
  ...{ source: "uploaded_file", created_at: uploadedAt, size },
});

/** A page of records. */
export const toFilesAnswer = ({ files, next }: FilePage): FilesAnswer => ({
  files: files.map(toFileAnswer),
  ...(next !== null && { next }),
});
