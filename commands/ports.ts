import type { ContentReference, FileFacts } from "../src/events/document.js";
import type { DomainEvent, EventMetadata, RecordedEvent } from "../src/events/domainEvent.js";
import type { StreamName } from "../src/events/streams.js";
import type { CarriedFile, CarriedText } from "../src/shared/carriedText.js";
import type { DatasourceName } from "../src/shared/ids.js";
import type { ExpectedRevision, Position, Revision } from "../src/shared/position.js";

/** An event on its way into the log. The id is stable over retries, which makes a retry exact. */
export interface NewEvent {
  readonly id: string;
  readonly event: DomainEvent;
  readonly metadata: EventMetadata;
}

/** A text, or bytes, that an event of the same append refers to. It is durable before the event is visible. */
export interface NewContent {
  /** The stream that it belongs to: of the document, or of the file. Each is erased on its own. */
  readonly stream: StreamName;
  readonly reference: ContentReference;
  readonly text: CarriedText | CarriedFile;
  /** The name of a document's datasource. */
  readonly datasource?: DatasourceName;
}

/** What is to be written, all of it or nothing, to one stream. */
export interface AppendRequest {
  readonly stream: StreamName;
  readonly expectedRevision: ExpectedRevision;
  /** At least one. */
  readonly events: readonly NewEvent[];
  readonly contents?: readonly NewContent[];
  /**
   * A log in files writes the appends of one turn of the event loop in ascending order of this number. Left out: in the
   * order in which they are asked for.
   */
  readonly arrival?: number;
}

/** What became of an append. */
export type AppendOutcome =
  /** `revision` and `position` are those of the last event. A repeat of the same ids answers as the first did. */
  | { readonly kind: "appended"; readonly revision: Revision; readonly position: Position }
  /** Nothing was written: the stream is not at the expected revision. */
  | { readonly kind: "conflict"; readonly actualRevision: ExpectedRevision }
  /**
   * Nothing was written, nor ever will be: the events come to more bytes than this log takes at once. Not every log has
   * such a limit.
   */
  | { readonly kind: "tooLarge"; readonly bytes: number; readonly maxBytes: number };

/** An event and its place, without its id and who caused it. */
export type StreamEvent = Pick<RecordedEvent, "event" | "revision" | "position">;

/** The write side's view of the log. */
export interface EventLog {
  /**
   * Events of a stream from `fromRevision` on, in order, at most `maxCount` where that is given; empty where there are
   * none (yet).
   */
  readStream(stream: StreamName, fromRevision: Revision, maxCount?: number): Promise<readonly RecordedEvent[]>;
  /** Reads like `readStream`, without ids and metadata, which no state needs: a start reads half a million events. */
  readEvents(stream: StreamName, fromRevision: Revision, maxCount: number): Promise<readonly StreamEvent[]>;
  /** The newest event of a stream, or null where the stream is empty. */
  readLast(stream: StreamName): Promise<RecordedEvent | null>;
  /**
   * Resolves once events and contents are on disk. Contents have no size limit. Throws only where the outcome is an
   * infrastructure failure.
   */
  append(request: AppendRequest): Promise<AppendOutcome>;
}

/** A text that was written for an event which has not come. */
export type UnclaimedText = Omit<NewContent, "text">;

/**
 * Texts of a log that writes them before the events that refer to them: a process that ends in between leaves one
 * behind. (A log that writes both in one transaction has none.)
 */
export interface UnclaimedTexts {
  /**
   * Visits, one after the other, the texts that were written since the last sweep and at least `minimumAgeMs` ago, and
   * that no event refers to yet. An append under way may still bring the event. Then remembers how far it came, for
   * every process.
   * False where another process sweeps. Where `visit` rejects, the next sweep begins where this one did.
   */
  sweep(minimumAgeMs: number, visit: (text: UnclaimedText) => Promise<void>, signal: AbortSignal): Promise<boolean>;
}

/** A file whose text is wanted. */
export interface FileToExtract {
  /** The bytes, or the path of a file of this machine that holds them. */
  readonly content: Uint8Array | { readonly path: string };
  /** The media type that the client declared, in lower case and without parameters; null: none. */
  readonly mimeType: string | null;
  /** The media type's `charset` parameter. */
  readonly charset: string | null;
  /** What the file is called: its extension is the last thing that tells what it is. */
  readonly name: string | null;
  /**
   * `article`: of a page only what there is to read on it, as Markdown. `typed`: it is what its media type says,
   * whatever it looks like. Left out, and of other files: all the text.
   */
  readonly form?: "article" | "typed";
}

/** What came of reading a file. A reason is a sentence that the client gets to read. */
export type Extraction =
  | {
      readonly kind: "text";
      /** Empty where there is nothing to read. */
      readonly text: CarriedText;
      /** What the text is known by. Left out: nobody has computed it yet. */
      readonly content?: ContentReference;
      readonly facts: FileFacts;
    }
  | {
      readonly kind: "unextractable";
      readonly reason: string;
      /** Nothing is wrong with the file: its format is one that nobody here reads. */
      readonly isUnknownType?: true;
    }
  /** There is a text, but it holds NUL characters or unpaired surrogates. */
  | { readonly kind: "unstorable" };

/** Takes the text out of files (docs/design/files-and-extraction.md). */
export interface TextExtractor {
  /**
   * Never rejects because of a file. `asker`: whose file it is. The files of one asker wait for each other, and askers
   * take turns. Left out: it is the only one of its asker.
   *
   * @throws ExtractionBusy if the queue of askers is full. An asker that has had a file read is never refused.
   */
  extract(file: FileToExtract, asker?: Asker): Promise<Extraction>;
}

/** The person or program whose file is to be read. */
export interface Asker {
  /** Whether nobody waits for the text any more. */
  isAbandoned?(): boolean;
}

/** Keeps passwords as salted, slow hashes. */
export interface PasswordHasher {
  /** The text holds salt and parameters. */
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password of this hash. null: the account has no password. The answer is then false, and takes as
   * long as a real comparison.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

/** Whether a password would be guessed soon, by somebody who knows these words about its owner. */
export type IsEasyToGuess = (password: string, known: readonly string[]) => Promise<boolean>;
