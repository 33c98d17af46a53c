import type { IndexDocument } from "../../commands/commands.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { AskEventPage, EventPage, EventSelection } from "../events/eventSelection.js";
import type { ProjectionsAnswer } from "../readModels/projectionStatus.js";
import type { ContentReference } from "../events/document.js";
import type { QueryFailure } from "../../queries/queries.js";
import type { FilePage, UploadedFile } from "../readModels/uploadedFiles.js";
import type { Role } from "../shared/credential.js";
import type { DocumentId, Email, FileId } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { Result } from "../shared/result.js";
import type { Issue } from "./validation/issue.js";

/** What `POST /documents` asks for. */
export type DocumentsRequest =
  | { readonly form: "single"; readonly document: IndexDocument }
  | {
      readonly form: "array";
      readonly documents: readonly IndexDocument[];
      /** In the order of the array. */
      readonly refused: readonly RefusedDocument[];
    };

/** A document of an array whose shape or values are wrong: it fails, and the others do not. */
export interface RefusedDocument {
  /** Its index in the array. */
  readonly at: number;
  /** The `id` that was sent; empty where there is none. */
  readonly documentId: DocumentId;
  /** Whether a document can have that id. */
  readonly isNamed: boolean;
  /** What is wrong, as a sentence. */
  readonly message: string;
}

/** A body that has come whole: a small one in memory, a large one in a file of this machine. */
export type ReceivedBody =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "file"; readonly path: string; readonly length: number };

/** Turns the body of `POST /documents` into commands: parsed, checked, decoded. */
export interface DocumentIntake {
  /** For a small body: takes the thread that asks. */
  read(body: Buffer): Promise<Result<DocumentsRequest, readonly Issue[]>>;
  /**
   * For a body in a file: waits for a thread, of which each holder gets its share. Rejects with the signal's reason
   * where that aborts while it waits.
   */
  readFile(
    path: string,
    turn: { readonly holder: string; readonly signal: AbortSignal },
  ): Promise<Result<DocumentsRequest, readonly Issue[]>>;
}

/** What has happened, for operators. */
export interface EventReader {
  /** In the order of the log, in batches. Ends, without an error, where the signal aborts. */
  read(selection: EventSelection, signal: AbortSignal): AsyncIterable<readonly RecordedEvent[]>;
  /** The events that were asked for, as far as they are found in a moment. */
  page(question: AskEventPage): Promise<EventPage>;
  /** What the datasource is called that the event belongs to, deleted or not; null: it belongs to none. */
  datasourceOf(event: RecordedEvent): Promise<string | null>;
}

/** Where projections stand, for operators. */
export interface ProjectionOverview {
  list(): Promise<ProjectionsAnswer>;
  /** The same, as it was within the last second: for those who look again and again. */
  watched(): Promise<ProjectionsAnswer>;
  /** Waits, boundedly, until what was recorded at this position shows in {@link list}. */
  waitUntilProjected(position: Position): Promise<void>;
}

/** People's files, each to be asked for by its owner alone. */
export interface UploadedFiles {
  /** The file as of now. Null where there is none, where it was erased, and where it is somebody else's. */
  find(owner: Email, fileId: FileId): Promise<UploadedFile | null>;
  /** The files as of the end of the log, the newest first. */
  list(
    owner: Email,
    page: { readonly after: string; readonly count: number; readonly atLeast: Position | null },
  ): Promise<Result<FilePage, QueryFailure>>;
  /** How many there are, and their bytes, as of the end of the log. */
  usage(owner: Email): Promise<Result<{ readonly files: number; readonly bytes: number }, QueryFailure>>;
  /** Piece by piece. Null where they were erased meanwhile. */
  readBytes(fileId: FileId, reference: ContentReference): Promise<AsyncIterable<Uint8Array> | null>;
  /** What was read of it. Null as {@link find} says it. */
  readText(owner: Email, fileId: FileId): Promise<string | null>;
}

/** A folder of its own for one upload, or one large body. */
export interface UploadPlace {
  readonly path: string;
  /** Removes it with whatever is in it. Never rejects. */
  remove(): Promise<void>;
}

/** Where uploads and large bodies lie while they come. */
export interface UploadFolder {
  make(): Promise<UploadPlace>;
}

/** The disk that holds the data folder. */
export interface DataDisk {
  /** Whether there is no room for what is to be written. */
  isFull(): Promise<boolean>;
  /**
   * Whether so many bytes of a document or an upload leave what others need, who have to write even now: a revocation,
   * a sign-in, the end of a file. What was let in counts.
   */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** What is left for this process; null: nobody can tell. */
  freeBytes(): Promise<number | null>;
  /** What is kept for such writes on a disk that others fill, and given up bit by bit where one is full. */
  readonly reservedBytes: number;
  /** To be told where a write has failed for want of room. */
  noteFull(): void;
}

/** What a sign-in at an identity provider began with; kept by the browser, and held against the answer. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A person, as an identity provider vouches for them. */
export interface ProvenPerson {
  readonly email: Email;
  /** null: the provider does not decide about roles. */
  readonly roles: readonly Role[] | null;
}

/** Where people sign in who have no password here. Both methods throw `IdentityProviderFailure` (`src/shared`). */
export interface IdentityProvider {
  /** Where to send the person. */
  begin(): Promise<{ readonly url: string; readonly attempt: SignInAttempt }>;
  /** `answer` is the query string that the person came back with. */
  finish(answer: string, attempt: SignInAttempt): Promise<ProvenPerson>;
}
