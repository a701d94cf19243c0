/** CSV as RFC 4180 has it: commas, CRLF, quotes where a text needs them. */

/** Texts that a spreadsheet would run as a formula (OWASP, CSV injection); numbers, also `+1202…`, are none. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/

/** One line of cells, with its line end. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: unknown): string {
  const text = defused(textOf(value))
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(';')
  // As in tables: a customer's text is not to steer the terminal.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(/(?![\t\r\n])\p{Cc}/gu, '\ufffd')
}

/** Puts an apostrophe before what a spreadsheet would run. */
function defused(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Takes that apostrophe away again, so that an exported file can be imported. */
export function unquoted(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}
