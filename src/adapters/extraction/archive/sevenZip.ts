import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { SevenZipModule, SevenZipModuleOptions } from "7z-wasm";
import { UnreadableFile, type ReadingContext } from "../readers/reader.js";

/** A file that was taken out of an archive. */
interface UnpackedFile {
  /** With its folders, as the archive names it. Only a name: nothing is ever written under it. */
  readonly name: string;
  readonly bytes: Buffer;
}

const folder = "/unpacked";

/**
 * Unpacks an archive of any kind that 7-Zip knows, in memory. What can be read of a damaged one is read.
 *
 * @param name What the archive is called: a file that is packed by itself is often called as its archive is.
 * @throws UnreadableFile where it is encrypted or nothing in it can be read.
 */
export async function unpackArchive(
  bytes: Buffer,
  name: string | null,
  context: Pick<ReadingContext, "unpacked">,
): Promise<readonly UnpackedFile[]> {
  const said: string[] = [];
  const program = await start((line) => void said.push(line));
  const archive = `/${basename(name ?? "").replace(/[^\p{L}\p{N}._ -]/gu, "_") || "archive"}`;
  program.FS.writeFile(archive, bytes);
  program.FS.mkdir(folder);
  countWritten(program, context);
  try {
    // The empty password is for a program that would ask for one.
    program.callMain(["x", "-y", "-p", "-bd", "-spd", `-o${folder}`, archive]);
  } catch (error) {
    // What ends the program itself is a number; what was unpacked before is there.
    if (error instanceof Error) throw error;
  }
  const files = filesIn(program, folder);
  if (files.length === 0 && !said.includes("Everything is Ok")) throw new UnreadableFile(whyEmpty(said));
  return files;
}

/** What Node has and its types leave out. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<CompiledProgram>;
  readonly Instance: new (program: CompiledProgram, imports: object) => object;
};

type CompiledProgram = object;

/** The package is CommonJS, which its types do not say; nor that its makers' compiler lets one start the program. */
type Load = (
  options: Partial<SevenZipModuleOptions> & {
    instantiateWasm(imports: object, started: (instance: object) => void): void;
  },
) => Promise<SevenZipModule>;

let compiled: Promise<CompiledProgram> | null = null;

async function compile(): Promise<CompiledProgram> {
  return WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve("7z-wasm/7zz.wasm"))));
}

/** Each archive has a program of its own; compiling it takes four times as long as the rest, and is done once. */
async function start(print: (line: string) => void): Promise<SevenZipModule> {
  const load = (await import("7z-wasm")).default as unknown as Load;
  const program = await (compiled ??= compile());
  const nothingMore = -1;
  return load({
    ...{ print, printErr: print, stdin: () => nothingMore },
    instantiateWasm: (imports, started) => started(new WebAssembly.Instance(program, imports)),
  });
}

/** The program writes what it unpacks through this one function. */
function countWritten({ FS }: SevenZipModule, context: Pick<ReadingContext, "unpacked">): void {
  const write = FS.write.bind(FS);
  FS.write = (stream, buffer, offset, length, ...others) => {
    context.unpacked(length);
    return write(stream, buffer, offset, length, ...others);
  };
}

function filesIn(program: SevenZipModule, within: string): readonly UnpackedFile[] {
  const { FS } = program;
  return FS.readdir(within)
    .filter((name) => name !== "." && name !== "..")
    .flatMap((name) => {
      const path = `${within}/${name}`;
      const { mode } = FS.lstat(path);
      if (FS.isDir(mode)) return filesIn(program, path);
      return FS.isFile(mode) ? [{ name: path.slice(folder.length + 1), bytes: contentOf(FS.readFile(path)) }] : [];
    });
}

const contentOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const whyEmpty = (said: readonly string[]): string =>
  said.some((line) => /encrypted|wrong password/i.test(line))
    ? "The archive is encrypted."
    : "The archive is damaged: nothing in it can be read.";
