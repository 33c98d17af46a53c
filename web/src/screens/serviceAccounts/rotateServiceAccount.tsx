import { useState } from "preact/hooks";
import { api, faultIn } from "../../api/client.js";
import { Dialog } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { SecretDialog } from "../../parts/secret.js";
import { Select } from "../../parts/select.js";
import type { Listed } from "./listed.js";
import { say } from "./say.js";

const overlaps = [0, 1, 24, 168, 720] as const;
const usualOverlap = 24;
const dayHours = 24;

/** Makes a second token of an account, beside which the first works for a while. */
export function RotateServiceAccount({ account, onClose }: { readonly account: Listed; readonly onClose: () => void }) {
  const { id } = account;
  const name = account.name ?? id;
  const [token, setToken] = useState<string | null>(null);
  const rotate = async (given: FormData): Promise<string | null> => {
    const asked = { params: { path: { id } }, body: { overlap_hours: Number(given.get("overlap")) } };
    const answer = await api.POST("/api/admin/service-accounts/{id}/rotate", asked);
    setToken(answer.data?.token ?? null);
    return faultIn(answer);
  };
  if (token !== null)
    return <SecretDialog title={say("rotated", { name })} label={say("token")} value={token} onClose={onClose} />;
  return (
    <Dialog title={say("rotateTitle", { name })} onClose={onClose}>
      <Form act={say("rotate")} onSend={rotate}>
        <p>{say("rotateWhat")}</p>
        <Select
          label={say("overlap")}
          name="overlap"
          of={overlaps.map((hours) => [String(hours), spanOf(hours)])}
          first={String(usualOverlap)}
        />
      </Form>
    </Dialog>
  );
}

function spanOf(hours: number): string {
  if (hours === 0) return say("now");
  return hours % dayHours === 0 ? say("days", { count: hours / dayHours }) : say("hours", { count: hours });
}
