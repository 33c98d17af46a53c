/**
 * Prints what `npm run build` tells the compiler to compile: the program and the demo alone until somebody has asked
 * for tests, which take as long again and need packages that whoever runs the service does without. From then on
 * everything at once, since what is compiled in turns is compiled anew each time.
 */
import { existsSync } from "node:fs";
import { areTestPackagesInstalled } from "./testPackages.js";

if (!existsSync("dist/test")) console.log("-p tsconfig.program.json");
// Without the packages their types are unknown; the tests that do not need them still run.
else console.log(areTestPackagesInstalled() ? "-p tsconfig.json" : "-p tsconfig.json --noCheck");
