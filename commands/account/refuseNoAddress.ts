import type { Email } from "../../src/shared/ids.js";
import type { Rejection } from "../rejection.js";
import { refuseEmptyEmail } from "../user/refuseEmptyEmail.js";
import { isAddress } from "../../src/shared/ids.js";

const longest = 254;

/**
 * What no account may be known by. Its email is what events name whoever asked by, beside the ids of credentials and
 * `operator`: none of these has an `@`, so nobody can act under such a name.
 */
export const refuseNoAddress = (email: Email): Rejection | null =>
  refuseEmptyEmail(email) ??
  (isAddress(email) && email.length <= longest ? null : { type: "AccountEmailInvalid", email });
