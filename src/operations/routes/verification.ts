import { createValidate, json, type tags } from "typia";
import type { VerificationAnswer } from "../verify/verification.js";
import { newId } from "../../shared/ids.js";
import { beginning, type Position } from "../../shared/position.js";
import { commandContextOf } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { answerWithProgress } from "../../http/streamedAnswers.js";
import { route } from "../../http/route.js";
import { knownProjectionInPath } from "../../http/pathParameters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/projections/{name}/verify`. */
interface VerifyMessage {
  /** How large a part of everything is looked at. Default: 1, all of it. */
  sample?: (number & tags.Minimum<0> & tags.Maximum<1>) | null;
  /** Chooses the part; the same one chooses the same part again. Default: another one each time. */
  seed?: (string & tags.MaxLength<128>) | null;
  /** Make afresh what differs. Default: false. */
  repair?: boolean | null;
  /** The one that is being built, to see where it differs from the log. Default: the one that is served. */
  version?: (number & tags.Type<"int32"> & tags.Minimum<1>) | null;
}

const verifyMessage = bodyMessage(json.schema<VerifyMessage>(), createValidate<VerifyMessage>());

const verificationAnswer = answerMessage(json.schema<VerificationAnswer>());

const verified: VerificationAnswer = {
  projection: "groupClosure",
  version: 1,
  position: "1204",
  sample: 1,
  seed: "weekly",
  compared: 812,
  drift: [],
  unsettled: [],
  suspended: [],
  complete: true,
  remaining: null,
};

const verify = route({
  method: "POST",
  path: "/api/admin/projections/{name}/verify",
  access: "operator",
  params: [knownProjectionInPath],
  body: jsonBody(verifyMessage),
  handle(context, { params: { name }, body: { sample, seed, repair, version } }) {
    const { verification, commands } = context.services;
    const askForRepair = async (repaired: number, scopes: readonly string[]): Promise<Position> => {
      const command = { name, version: repaired, scopes };
      return valueOf(await commands.repairReadModel(command, commandContextOf(context))).position ?? beginning;
    };
    const question = {
      name,
      sample: sample ?? 1,
      seed: seed ?? newId(),
      ...(version !== null && version !== undefined && { version }),
    };
    return answerWithProgress(context, async (onProgress, signal) =>
      valueOf(await verification.verify(question, repair === true ? askForRepair : null, { onProgress, signal })),
    );
  },
  description: {
    tag: "Projections",
    summary: "Compare what is served with what the log says",
    description:
      'The log is folded afresh and held against the readers: every document, person, datasource or credential that it ever named, those that are gone included, and whatever is served besides: documents, people, groups, memberships, datasources and credentials that the log never named. With `repair`, what differs is made afresh by whoever projects, what was never named is taken away, and all of it is looked at again. Takes as long as reading the log several times: with `Accept: application/x-ndjson` a line a second says how far it is, `{"progress": {"compared", "done"}}`, and the last one is `{"answer": …}`, or `{"failure": {"status", "detail"}}`. A client that goes away ends it.',
    example: { sample: 1, seed: "weekly" },
    success: {
      description: "What differs, by document and principal.",
      schema: verificationAnswer,
      example: verified,
    },
    failures: {
      404: "There is no such projection, version or parked event.",
      409: "It answers no questions of its own, or the version stands still.",
      503: "It does not come as far as the log.",
    },
  },
});

/** Proving what is served (docs/design/read-models.md). */
export const verificationRoutes = [verify];
