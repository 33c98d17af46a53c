import type { Email } from "../../src/shared/ids.js";
import type { Rejection } from "../rejection.js";

/** An email that is empty once it is trimmed names nobody (spec: POST and PUT /users, 400). */
export const refuseEmptyEmail = (email: Email): Rejection | null => (email === "" ? { type: "EmailEmpty" } : null);
