export interface ThreadRequest {
  readonly id: number;
  readonly method: string;
  readonly payload: unknown;
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Error };
