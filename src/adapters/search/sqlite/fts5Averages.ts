/**
 * How many terms a row of an FTS5 table has on average, from the table's record of averages (row 1 of its `_data`
 * table): the number of rows, then that of the terms of each column, each as a varint of SQLite.
 */
export function averageLengthIn(record: Uint8Array): number {
  const [rows = 0, ...columns] = varintsIn(record);
  return columns.reduce((sum, terms) => sum + terms, 0) / Math.max(1, rows);
}

/** Of nine bytes the last one gives eight bits, any other gives seven. */
function varintsIn(bytes: Uint8Array): readonly number[] {
  const values: number[] = [];
  let value = 0;
  let taken = 0;
  for (const byte of bytes) {
    taken += 1;
    value = taken === 9 ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (byte >= 0x80 && taken < 9) continue;
    values.push(value);
    value = 0;
    taken = 0;
  }
  return values;
}
