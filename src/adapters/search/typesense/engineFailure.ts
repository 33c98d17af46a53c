import { EngineUnavailable } from "../../../../projections/ports.js";
import { ReadModelUnavailable } from "../../../shared/readModelUnavailable.js";
import { TypesenseFailure } from "./connection.js";

/** Blames what was sent. Any other status is the engine's: a refused key, a full disk (422), a node that lags. */
const badRequest = 400;

const isEngineAtFault = (error: unknown): error is TypesenseFailure =>
  error instanceof TypesenseFailure && error.status !== badRequest;

/** For projections: whatever is not the fault of what was written is waited for. */
export const toWriterFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new EngineUnavailable(error.message) : error;

/** For readers: an engine that cannot answer now is no "nothing found". */
export const toReaderFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new ReadModelUnavailable(error.message) : error;
