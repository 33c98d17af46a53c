/** Who may see a document: `ada`, `group:engineers`, `everyone`. */
export type Principal = string;

export interface DocumentInFile {
  /** Absent: no permissions block. */
  readonly for?: readonly Principal[];
  readonly modified?: string;
  readonly title?: string;
}

export interface DatasourceInFile {
  readonly users?: readonly string[];
  readonly groups?: Readonly<Record<string, readonly Principal[]>>;
  readonly documents?: Readonly<Record<string, DocumentInFile>>;
}

export interface StepInFile extends DocumentInFile {
  readonly see?: Readonly<Record<string, readonly string[]>>;
  readonly register?: string;
  readonly create?: string;
  readonly rename?: string;
  readonly add?: Principal;
  readonly remove?: Principal;
  readonly index?: string;
  readonly delete?: string;
  readonly "delete user"?: string;
  readonly "delete group"?: string;
  readonly "register datasource"?: string;
  readonly "delete datasource"?: string;
  readonly ask?: string;
  readonly to?: string;
  readonly from?: string;
  readonly on?: string;
  readonly who?: string;
  readonly access?: boolean;
  readonly outcome?: string;
  readonly says?: string;
  readonly status?: number;
}

/** A file of this folder; its form is told in README.md. */
export interface Scenario {
  readonly title: string;
  readonly rule: string;
  readonly datasources: Readonly<Record<string, DatasourceInFile>>;
  readonly people?: readonly string[];
  readonly steps: readonly StepInFile[];
}
