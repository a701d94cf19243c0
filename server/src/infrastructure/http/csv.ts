/** CSV as RFC 4180 has it: commas, CRLF, quotes where a text needs them. The command line program writes the same. */

/** Texts that a spreadsheet would run as a formula (OWASP, CSV injection); numbers, also `+1202…`, are none. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/

export type CsvCell = string | number | null

/** A cell of an exported file without the apostrophe that keeps spreadsheets from running it. */
export function unquoted(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

/** One line of cells, with its line end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: CsvCell): string {
  const text = String(value ?? '')
  const defused = formula.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}
