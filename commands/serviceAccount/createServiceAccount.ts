import { serviceAccountStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret } from "../../src/shared/credential.js";
import type { Commands } from "../commands.js";
import { answering } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, serviceAccountAggregate } from "./decider.js";

/** Creates a service account; the secret leaves in the answer and nowhere else (spec: Service-account tokens). */
export const createCreateServiceAccount =
  ({ handler, minting, productName }: CommandServices): Commands["createServiceAccount"] =>
  ({ name, datasources, expiresAt }, context) => {
    const credential = minting.credential("serviceAccount");
    const { id, secret } = credential;
    const created = { id, name, datasources, secretSha256: hashSecret(secret), expiresAt };
    return handler.handle({
      aggregate: serviceAccountAggregate,
      stream: serviceAccountStream(id),
      context,
      decide: (state) =>
        answering(decide({ type: "CreateServiceAccount", created }, state), {
          id,
          credential: formatCredential(credential, productName),
        }),
    });
  };
