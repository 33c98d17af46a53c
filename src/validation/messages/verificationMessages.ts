import type { tags } from "typia";

type PositionText = string & tags.Pattern<"^[0-9]{1,18}$">;

/** Body of `POST /api/admin/projections/{name}/verify`. */
export interface VerifyMessage {
  /** How large a part of everything is looked at. Default: 1, all of it. */
  sample?: (number & tags.Minimum<0> & tags.Maximum<1>) | null;
  /** Chooses the part; the same one chooses the same part again. Default: another one each time. */
  seed?: (string & tags.MaxLength<128>) | null;
  /** Make afresh what differs. Default: false. */
  repair?: boolean | null;
  /** The one that is being built, to see where it differs from the log. Default: the one that is served. */
  version?: (number & tags.Type<"int32"> & tags.Minimum<1>) | null;
}

/** Body of `POST /api/admin/projections/{name}/parked/retry`. */
export interface RetryParkedMessage {
  /** Of a parked event. Left out: all of them. */
  position?: PositionText | null;
}

/** Body of `POST /api/admin/projections/{name}/parked/discard`. */
export interface DiscardParkedMessage {
  /** Of a parked event. */
  position: PositionText;
}

/** Body of `POST /api/admin/undo`. */
export interface UndoMessage {
  /** Position of the first event that may be taken back. */
  from: PositionText;
  /** Position of the last one. */
  to: PositionText;
  /** Only what this credential wrote; `operator` is the command line. */
  credential: string & tags.MinLength<1> & tags.MaxLength<128>;
  /** Say what would be done, and write nothing. Default: true. */
  dry_run?: boolean | null;
}
