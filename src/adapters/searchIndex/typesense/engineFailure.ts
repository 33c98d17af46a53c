import { EngineUnavailable } from "../../../../projections/ports.js";
import { ReadModelUnavailable } from "../../../shared/readModelUnavailable.js";
import { TypesenseFailure } from "./connection.js";

/** The statuses that blame the request, not the engine. */
const isRefusal = (status: number | null): boolean => status !== null && status >= 400 && status < 500 && ![401, 404, 408, 429].includes(status);

/** For projections: whatever is not the fault of what was written is waited for. */
export function toWriterFailure(error: unknown): unknown {
  if (error instanceof TypesenseFailure && !isRefusal(error.status)) return new EngineUnavailable(error.message);
  return error;
}

/** For readers: an engine that cannot answer now is no "nothing found". */
export function toReaderFailure(error: unknown): unknown {
  if (error instanceof TypesenseFailure && !isRefusal(error.status)) return new ReadModelUnavailable(error.message);
  return error;
}
