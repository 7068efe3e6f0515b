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

/** A CSV file page by page. */
export async function* csv(header: readonly string[], pages: AsyncIterable<Cell[][]>) {
  yield csvHeader(header);
  for await (const rows of pages) yield csvRows(rows);
}

/** One line without its line ending, for files that hold more than rows. */
export const csvLine = (cells: Cell[]): string => papaparse.unparse([cells], options);
