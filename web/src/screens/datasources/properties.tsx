import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { Field } from "../../parts/field.js";
import { Select } from "../../parts/select.js";
import { Fault } from "../../parts/states.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";

type Datasource = Schemas["DatasourceAnswer"];
type Property = Datasource["object_definitions"][number]["property_definitions"][number];
/** A property with the object that it was defined in. */
type Row = Property & { readonly object: string };

const types = ["TEXT", "INTEGER", "DATE", "BOOLEAN"] as const;
const newObject = "default";

/** What documents may carry as custom properties. */
export function Properties({ datasource, again }: { readonly datasource: Datasource; readonly again: () => void }) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(datasource));
  const [said, setSaid] = useState<{ readonly fault: string | null } | null>(null);
  // What was said of the last save holds for no row that has changed since.
  const edit = (changed: (known: readonly Row[]) => readonly Row[]): void => {
    setRows(changed);
    setSaid(null);
  };
  const change = (at: number, changes: Partial<Row>): void =>
    edit((known) => known.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const params = { path: { name: datasource.name } };
    const body = { object_definitions: definitionsOf(rows) };
    const fault = faultIn(await api.PUT("/api/admin/datasources/{name}", { params, body }));
    if (fault === null) {
      setRows(rowsOf(body));
      again();
    }
    setSaid({ fault });
  };
  const none: Row = { object: newObject, name: "", display_label: "", is_searchable: true, property_type: "TEXT" };
  return (
    <section class="stack">
      <h2>{say("properties")}</h2>
      <p class="quiet">{rows.length === 0 ? say("noProperties") : say("propertiesHelp")}</p>
      <form class="stack" onSubmit={(event) => void save(event)}>
        {rows.map((row, at) => (
          <PropertyFields
            key={at}
            row={row}
            onChange={(changes) => change(at, changes)}
            onRemove={() => edit((known) => known.filter((_row, index) => index !== at))}
          />
        ))}
        {said !== null && <Said fault={said.fault} />}
        <div class="actions">
          <button type="button" onClick={() => edit((known) => [...known, none])}>
            {say("addProperty")}
          </button>
          <button class="primary">{say("save")}</button>
        </div>
      </form>
    </section>
  );
}

const Said = ({ fault }: { readonly fault: string | null }) =>
  fault === null ? (
    <p class="notice" role="status">
      {say("saved")}
    </p>
  ) : (
    <Fault>{fault}</Fault>
  );

interface PropertyFieldsProps {
  readonly row: Row;
  readonly onChange: (changes: Partial<Row>) => void;
  readonly onRemove: () => void;
}

function PropertyFields({ row, onChange, onRemove }: PropertyFieldsProps) {
  const { name, display_label: label, property_type: chosen, is_searchable: isSearchable } = row;
  return (
    <fieldset class="property">
      <legend>{name === "" ? say("addProperty") : name}</legend>
      <Field label={say("property")} value={name} onText={(text) => onChange({ name: text })} required />
      <Field label={say("label")} value={label} onText={(text) => onChange({ display_label: text })} />
      <Select
        label={say("propertyType")}
        value={chosen}
        of={types.map((type) => [type, type])}
        onChoose={(type) => onChange({ property_type: type })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isSearchable}
          onChange={({ currentTarget }) => onChange({ is_searchable: currentTarget.checked })}
        />
        {say("isSearchable")}
      </label>
      <RowAct act={say("remove")} of={name} onClick={onRemove} />
    </fieldset>
  );
}

const rowsOf = ({ object_definitions: objects }: Pick<Datasource, "object_definitions">): readonly Row[] =>
  objects.flatMap(({ name: object, property_definitions: properties }) =>
    properties.map((property) => ({ ...property, object })),
  );

/** The objects that the properties belong to, in the order in which they come. */
function definitionsOf(rows: readonly Row[]) {
  const objects = [...new Set(rows.map(({ object }) => object))];
  return objects.map((name) => ({
    name,
    property_definitions: rows
      .filter(({ object }) => object === name)
      .map(({ object: _object, display_label: label, ...property }) => ({
        ...property,
        display_label: label === "" ? property.name : label,
      })),
  }));
}
