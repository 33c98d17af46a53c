import type { tags } from "typia";

/** Body of `POST /api/admin/projections/{name}/rebuild`. */
export interface RebuildMessage {
  /** Compare everything that the log ever named before the swap, and not only a part by chance. Default: false. */
  verify?: boolean | null;
  /** How many versions that were served before are kept. Default: 1. */
  keep?: (number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<100>) | null;
  /** Serve the new version whatever the comparison finds. Default: false. */
  accept?: boolean | null;
}

/** Body of `POST /api/admin/projections/{name}/drop`. */
export interface DropVersionMessage {
  /** One that is kept, or the one under way, which is given up. */
  version: number & tags.Type<"int32"> & tags.Minimum<1>;
}
