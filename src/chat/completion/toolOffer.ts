import type { ToolName } from "../../events/agent.js";
import type { ModelsWithoutTools } from "../models/modelsWithoutTools.js";
import type { ToolDefinition } from "../ports/modelUpstream.js";
import type { Toolbox } from "../tools/toolbox.js";

/** Which tools a model is offered in one answer: those of the toolbox, until its server says that it takes none. */
export class ToolOffer {
  /** The tools that were wanted, and are not offered. */
  leftOut: readonly ToolName[] = [];
  /** Whether messages may call tools, or answer calls. */
  takesTools = true;

  constructor(
    private readonly model: string,
    private readonly toolbox: Toolbox,
    private readonly withoutTools: ModelsWithoutTools,
  ) {
    if (withoutTools.has(model)) this.close();
  }

  get tools(): readonly ToolDefinition[] {
    return this.takesTools ? this.toolbox.offered : [];
  }

  /** Offers none from here on; false where none was offered, and no message was of tools. */
  withdraw(hasMessagesOfTools: boolean): boolean {
    const isOffered = this.tools.length > 0;
    if (!this.takesTools || !(isOffered || hasMessagesOfTools)) return false;
    // A server that takes no calls of tools in messages may still take tools.
    if (isOffered) this.withoutTools.add(this.model);
    this.close();
    return true;
  }

  private close(): void {
    this.leftOut = this.toolbox.names;
    this.takesTools = false;
  }
}
