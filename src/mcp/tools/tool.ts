import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { ZodObject, z } from "zod";
import type { ApiContext } from "../../http/apiContext.js";

/** A tool as models are told of it. */
export interface Tool<Input extends ZodObject = ZodObject, Output extends ZodObject = ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /**
   * Called on behalf of the person who sent the request. `signal` aborts where nobody waits any more. Throws as routes
   * do.
   */
  call(context: ApiContext, asked: z.output<Input>, signal: AbortSignal): Promise<z.input<Output>>;
}

/** What tools do that read what this service holds, and change nothing. */
export const readsHere: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Defines a tool: lets the compiler find out what it takes and gives. */
export const tool = <Input extends ZodObject, Output extends ZodObject>(definition: Tool<Input, Output>): Tool =>
  definition as unknown as Tool;
