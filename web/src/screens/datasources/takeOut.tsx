import { api, faultIn } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Losses } from "./losses.js";
import { say } from "./say.js";

interface TakeOutProps {
  readonly datasource: string;
  readonly group: string;
  readonly type: "user" | "group";
  readonly member: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before somebody, or a group, leaves a group. */
export function TakeOut({ datasource, group, type, member, onClose, onDone }: TakeOutProps) {
  const confirm = async (): Promise<string | null> => {
    const path = { datasource, group_name: group, member_type: type, member_id: member };
    const route = "/api/admin/memberships/{datasource}/{group_name}/{member_type}/{member_id}";
    const fault = faultIn(await api.DELETE(route, { params: { path } }));
    onDone();
    return fault;
  };
  const place = [datasource, group, type, member].map(encodeURIComponent).join("/");
  return (
    <Confirm title={say("takeOutTitle", { member, group })} act={say("takeOut")} onClose={onClose} onConfirm={confirm}>
      <p>{say("takeOutWhat", { member, group })}</p>
      <Losses method="DELETE" path={`/api/indexing/memberships/${place}`} />
    </Confirm>
  );
}
