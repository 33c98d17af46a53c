import { match } from "ts-pattern";
import type { FileErased, FileEvent, FileUploaded } from "../../src/events/file.js";
import type { ContentReference } from "../../src/events/document.js";
import { fileStream } from "../../src/events/streams.js";
import type { Email, FileId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

/** An uploaded file; an erased one never comes back. */
type FileState = "absent" | "erased" | FileUploaded["data"];

export type FileCommand =
  | { readonly type: "UploadFile"; readonly uploaded: FileUploaded["data"] }
  | { readonly type: "EraseFile"; readonly fileId: FileId; readonly owner: Email }
  /** Whosever it is. */
  | { readonly type: "ExpireFile"; readonly fileId: FileId }
  /** A content for which no upload had come. */
  | { readonly type: "WithdrawFile"; readonly fileId: FileId; readonly content: ContentReference };

export const initialState = (): FileState => "absent";

/** The newest event is the state. */
export function evolve(_state: FileState, event: FileEvent): FileState {
  return match(event)
    .returnType<FileState>()
    .with({ type: "FileUploaded" }, ({ data }) => data)
    .with({ type: "FileErased" }, () => "erased")
    .exhaustive();
}

/** Somebody else's file is none. Ids are minted at random, so one that is there is this same upload, come again. */
export function decide(command: FileCommand, state: FileState): Decision<FileEvent> {
  return match(command)
    .returnType<Decision<FileEvent>>()
    .with({ type: "UploadFile" }, ({ uploaded }) => {
      // What it brought was withdrawn while it was under way.
      if (state === "erased") return failed({ type: "TooMuchContention", stream: fileStream(uploaded.fileId) });
      return ok(state === "absent" ? [{ type: "FileUploaded", data: uploaded }] : []);
    })
    .with({ type: "EraseFile" }, ({ fileId, owner }) =>
      typeof state === "string" || state.owner !== owner
        ? failed({ type: "FileNotFound", id: fileId })
        : ok([erased(state, "owner")]),
    )
    .with({ type: "ExpireFile" }, () => ok(typeof state === "string" ? [] : [erased(state, "expired")]))
    .with({ type: "WithdrawFile" }, ({ fileId, content }) => {
      if (typeof state !== "string") return ok([]);
      return ok([{ type: "FileErased", data: { fileId, because: "withdrawn", contents: [content] } }]);
    })
    .exhaustive();
}

const erased = ({ fileId, content, text }: FileUploaded["data"], because: "owner" | "expired"): FileErased => ({
  type: "FileErased",
  data: { fileId, because, contents: content.sha256 === text.sha256 ? [content] : [content, text] },
});

export const fileAggregate: Aggregate<FileState, FileEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
  latestKnownEvent: true,
};
