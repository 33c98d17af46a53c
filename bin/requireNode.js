/**
 * Ends a process whose Node is too old, with a sentence. Written for any Node there ever was: it has to be understood
 * by those that it refuses. `npm run build` runs it first, and the program before anything else.
 */
/* oxlint-disable no-var */
"use strict";

function isTooOld(version) {
  var parts = version.replace(/^v/, "").split(".").map(Number);
  if (parts[0] === 20) return parts[1] < 19;
  if (parts[0] === 22) return parts[1] < 13;
  return parts[0] < 20 || parts[0] === 21;
}

if (isTooOld(process.version)) {
  var what = "enterprise-search needs Node 20.19, 22.13 or newer, and this is " + process.version + ".";
  console.error(what + " Install a newer one from https://nodejs.org, then run the command again.");
  process.exit(1);
}
