import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Select } from "../../parts/select.js";
import { Fault } from "../../parts/states.js";
import { iconOf, largestIconBytes, toDataUrl } from "./icon.js";
import { say } from "./say.js";

type Datasource = Schemas["DatasourceAnswer"];

interface EditorProps {
  /** null: a new one. */
  readonly datasource: Datasource | null;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** What a datasource is called and looks like, and who sees what comes without permissions. */
export function Editor({ datasource, onClose, onSaved }: EditorProps) {
  const [icon, setIcon] = useState<string | null>(datasource?.icon_base64 ?? null);
  const save = async (given: FormData): Promise<string | null> => {
    const name = datasource?.name ?? String(given.get("name"));
    const body = {
      display_name: String(given.get("display_name")) || name,
      icon_base64: icon,
      default_access: given.get("default_access") === "nobody" ? ("nobody" as const) : ("anonymous" as const),
    };
    const refused = faultIn(
      datasource === null
        ? await api.POST("/api/admin/datasources", { body: { name, ...body } })
        : await api.PUT("/api/admin/datasources/{name}", { params: { path: { name } }, body }),
    );
    if (refused !== null) return refused;
    onClose();
    onSaved(name);
    return null;
  };
  return (
    <Dialog title={datasource?.display_name ?? say("create")} onClose={onClose}>
      <Form act={datasource === null ? say("createIt") : say("save")} onSend={save}>
        {datasource === null && (
          <Field label={say("name")} name="name" help={say("nameHelp")} maxLength={64} required autofocus />
        )}
        <Field label={say("displayName")} name="display_name" defaultValue={datasource?.display_name ?? ""} />
        <IconField icon={icon} onChoose={setIcon} />
        <Select
          label={say("defaultAccess")}
          name="default_access"
          of={(["anonymous", "nobody"] as const).map((key) => [key, say(key)])}
          first={datasource?.default_access ?? "anonymous"}
          help={say("defaultAccessHelp")}
        />
      </Form>
    </Dialog>
  );
}

interface IconFieldProps {
  readonly icon: string | null;
  readonly onChoose: (icon: string | null) => void;
}

function IconField({ icon, onChoose }: IconFieldProps) {
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const isTooLarge = file.size > largestIconBytes;
    setFault(isTooLarge ? say("iconTooLarge") : null);
    if (!isTooLarge) onChoose(await toDataUrl(file));
  };
  return (
    <>
      <div class="row">
        <img src={iconOf(icon)} alt="" width="40" height="40" />
        <label class="field">
          <span>{say("icon")}</span>
          <input type="file" accept="image/*" onChange={({ currentTarget }) => void take(currentTarget.files?.[0])} />
          <span class="help">{say("iconHelp")}</span>
        </label>
        {icon !== null && (
          <button type="button" class="plain" onClick={() => onChoose(null)}>
            {say("removeIcon")}
          </button>
        )}
      </div>
      {fault !== null && <Fault>{fault}</Fault>}
    </>
  );
}
