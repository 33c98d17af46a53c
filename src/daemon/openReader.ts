import type { Logger } from "pino";
import type { Checkpointed } from "../../queries/ports.js";
import { isDamage } from "../shared/failures.js";
import type { OpenedReader } from "./ports.js";
import { type ReadModel, openIdentified, type Identified } from "./readModel.js";

/** A reader, and the storage that it reads. */
export type IdentifiedReader<Reader> = Identified<OpenedReader<Reader>>;

/** Opens a version for questions. One that is damaged is set aside, and the empty one in its place is opened. */
export async function openReader<Reader extends Checkpointed>(
  readModel: ReadModel<Reader>,
  version: number,
  logger: Logger,
): Promise<IdentifiedReader<Reader>> {
  const identity = readModel.identity(version);
  const open = (): Promise<IdentifiedReader<Reader>> =>
    openIdentified(readModel, version, () => readModel.openReader(version));
  try {
    return await open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    await setAsideDamaged(readModel, version, identity, logger);
    return open();
  }
}

/** Takes a damaged storage out of use. The process that projects it fills the storage in its place. */
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
