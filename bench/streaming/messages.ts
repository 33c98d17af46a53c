/** The datasource that documents are pushed into. */
export const datasource = "streamed";

/** What the process of a pusher is asked to do. It ends early where it is sent `stop`. */
export interface PushOrder {
  readonly url: string;
  readonly serviceAccount: string;
  /** How many documents, at most. */
  readonly documents: number;
}

/** What became of an order. */
export interface PushReport {
  readonly pushed: number;
  readonly seconds: number;
  /** Consistency token of the newest write. */
  readonly token: string;
}
