import { DiskFull, EngineUnavailable } from "../../shared/engineUnavailable.js";

const faultsOfTheRequest = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/;
/** The second one: the file that the processes share in memory could not grow. */
const noRoom = /^SQLITE_(FULL|IOERR_SHMSIZE)/;

/** The error of a write that the disk, a lock or the file is to blame for, by SQLite's code; null: the request is. */
export function engineFailure(code: string, message: string, cause?: unknown): EngineUnavailable | null {
  if (faultsOfTheRequest.test(code)) return null;
  const Failure = noRoom.test(code) ? DiskFull : EngineUnavailable;
  return Object.assign(new Failure(message, { cause }), { code });
}
