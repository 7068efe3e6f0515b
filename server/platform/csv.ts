import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | null;

const options = {
  // A cell that begins like a formula would be run by the spreadsheet that opens the file.
  escape_formulas: true,
  record_delimiter: 'windows',
  // A line feed alone ends no record, but readers differ.
  quoted_match: /[\r\n]/,
} as const;

/** A CSV file piece by piece: RFC 4180, UTF-8 with the mark by which spreadsheets know it. */
export async function* csv(header: readonly string[], pages: AsyncIterable<readonly (readonly Cell[])[]>) {
  yield stringify([[...header]], { ...options, bom: true });
  for await (const rows of pages)
    if (rows.length > 0)
      yield stringify(
        rows.map((row) => [...row]),
        options,
      );
}
