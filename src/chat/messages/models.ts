import { json, type tags } from "typia";
import { answerMessage } from "../../http/validation/message.js";
import type { ModelRecord } from "../chat.js";

/** A model (spec: Model record). */
export interface ModelAnswer {
  id: string;
  /** Epoch seconds; 0 where its server does not say. */
  created: number & tags.Type<"int64">;
  object: "model";
  owned_by: string;
  /** What people choose an agent by; models have none. Our own addition. */
  name?: string;
}

/** Answer of `GET /models`. */
export interface ModelsAnswer {
  object: "list";
  data: ModelAnswer[];
}

export const modelAnswer = answerMessage(json.schema<ModelAnswer>());
export const modelsAnswer = answerMessage(json.schema<ModelsAnswer>());

/** A model as the product's own. */
export const toModelAnswer = ({ id, created, name }: ModelRecord, productName: string): ModelAnswer => ({
  ...{ id, created, object: "model", owned_by: productName },
  ...(name !== undefined && { name }),
});
