import { readFile } from "../readFile.js";
import { serveFiles } from "./serveFiles.js";

await serveFiles(readFile);
