import type { Logger } from "pino";
import type { Checkpointed } from "../../queries/ports.js";
import { isDamage } from "../shared/damage.js";
import type { OpenedReader } from "./ports.js";
import type { ReadModel } from "./readModel.js";

/** A reader, and the storage that it reads. */
export type IdentifiedReader<Reader> = OpenedReader<Reader> & {
  /** As of `Storage.identity`. */
  readonly identity: string | null;
};

/** Opens a version for questions. One that is damaged is set aside, and the empty one in its place is opened. */
export async function openReader<Reader extends Checkpointed>(
  readModel: ReadModel<Reader>,
  version: number,
  logger: Logger,
): Promise<IdentifiedReader<Reader>> {
  const identity = readModel.identity(version);
  try {
    return await openIdentified(readModel, version);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await setAsideDamaged(readModel, version, identity, logger);
    return openIdentified(readModel, version);
  }
}

/** Opens again where the storage was exchanged meanwhile: the reader would be taken for one of the new storage. */
async function openIdentified<Reader extends Checkpointed>(
  readModel: ReadModel<Reader>,
  version: number,
): Promise<IdentifiedReader<Reader>> {
  for (;;) {
    const before = readModel.identity(version);
    const opened = await readModel.openReader(version);
    const identity = readModel.identity(version);
    if (!before || before === identity) return { ...opened, identity };
    await opened.close();
  }
}

/** Takes a damaged storage out of use. What takes its place is filled by whoever projects it. */
export async function setAsideDamaged(
  readModel: Pick<ReadModel, "name" | "setAside">,
  version: number,
  identity: string | null,
  logger: Logger,
): Promise<void> {
  const kept = await readModel.setAside(version, identity);
  if (kept !== null)
    logger.error(
      { projection: readModel.name, version, kept },
      "A file of the read models is damaged. It is set aside, and rebuilt from the log.",
    );
}
