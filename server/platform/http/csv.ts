import papaparse from 'papaparse';

export type Cell = string | number | null;

const options = {
  // A spreadsheet would run a cell that starts like a formula, in the wide forms of some keyboards too.
  escapeFormulae: /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/,
  newline: '\r\n',
};

/** The beginning of a CSV file (RFC 4180), in UTF-8 with the byte order mark that spreadsheets need. */
export const csvHeader = (header: readonly string[]): string => `\ufeff${csvLine([...header])}\r\n`;

export const csvRows = (rows: Cell[][]): string => (rows.length === 0 ? '' : `${papaparse.unparse(rows, options)}\r\n`);

/** A column's header, and its cell in a row. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

const cellsOf = <Row>(columns: Columns<Row>, rows: Row[]) =>
  rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));

export const csvOf = <Row>(columns: Columns<Row>, rows: Row[]): string =>
  csvHeader(Object.keys(columns)) + csvRows(cellsOf(columns, rows));

const pageSize = 1000;

/** A CSV file, read page by page after the last row of the previous one, so that no connection is held while the browser downloads. */
export async function* csv<Row>(columns: Columns<Row>, read: (limit: number, after?: Row) => Promise<Row[]>) {
  yield csvHeader(Object.keys(columns));
  let rows: Row[] = [];
  do {
    rows = await read(pageSize, rows.at(-1));
    yield csvRows(cellsOf(columns, rows));
  } while (rows.length === pageSize);
}

/** One line without its line ending, for files that hold more than rows. */
export const csvLine = (cells: Cell[]): string => papaparse.unparse([cells], options);
