import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | null;

const options = {
  // A spreadsheet would run a cell that starts like a formula.
  escape_formulas: true,
  record_delimiter: 'windows',
  // Some readers take a line feed within a cell for the end of the row.
  quoted_match: /[\r\n]/,
} as const;

/** A CSV file page by page (RFC 4180), in UTF-8 with the byte order mark that spreadsheets need. */
export async function* csv(header: readonly string[], pages: AsyncIterable<readonly (readonly Cell[])[]>) {
  yield stringify([[...header]], { ...options, bom: true });
  for await (const rows of pages)
    if (rows.length > 0)
      yield stringify(
        rows.map((row) => [...row]),
        options,
      );
}

/** One line without its end, for files that are more than rows. */
export const csvLine = (cells: readonly Cell[]): string => stringify([[...cells]], { ...options, eof: false });
