import Database from "better-sqlite3";
import { isDamage } from "../../shared/failures.js";
import { lowerProcessPriority } from "../../shared/priority.js";
import { damagedCode } from "./pageCheck.js";

lowerProcessPriority("checkingPages");

function isWhole(file: string): boolean {
  try {
    const database = new Database(file, { readonly: true });
    return database.pragma("quick_check(1)", { simple: true }) === "ok";
  } catch (error) {
    return !isDamage(error);
  }
}

process.exitCode = isWhole(process.argv[2] ?? "") ? 0 : damagedCode;
