import { EngineUnavailable } from "../../../../projections/ports.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { TypesenseFailure } from "./connection.js";

/** Blames what was sent. Any other status blames the engine: a refused key, a full disk (422), a node that lags. */
const badRequest = 400;

const isEngineAtFault = (error: unknown): error is TypesenseFailure =>
  error instanceof TypesenseFailure && error.status !== badRequest;

/** For projections: they wait for whatever is not the fault of what was written. */
export const toWriterFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new EngineUnavailable(error.message) : error;

/** For readers: an engine that cannot answer now has not answered "nothing found". */
export const toReaderFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new ReadModelUnavailable(error.message) : error;
