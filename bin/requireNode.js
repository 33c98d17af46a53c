/**
 * Ends a process whose Node is too old, with a sentence. Written for any Node there ever was: it has to be understood by
 * those that it refuses. `npm run build` runs it first, and the program before anything else.
 */
/* oxlint-disable no-var */
"use strict";

var needed = [20, 19];

function isTooOld(version) {
  var parts = version.replace(/^v/, "").split(".").map(Number);
  return parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1]);
}

if (isTooOld(process.version)) {
  var what = "enterprise-search needs Node " + needed.join(".") + " or newer, and this is " + process.version + ".";
  console.error(what + " Install a newer one from https://nodejs.org, then run the command again.");
  process.exit(1);
}
