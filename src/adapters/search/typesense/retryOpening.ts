import { TypesenseFailure } from "./connection.js";

const retryDelayMs = 250;

/**
 * Tries to open until `end`, on the clock of `performance.now()`. A refused key, and whatever else waiting does not
 * mend, ends it at once.
 */
export async function retryOpening<Opened>(end: number, open: () => Promise<Opened>): Promise<Opened> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const mayPass = error instanceof TypesenseFailure && (error.status === null || error.status >= 500);
      if (!mayPass || performance.now() + retryDelayMs >= end)
        throw error instanceof TypesenseFailure ? new Error(error.message) : error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
