/** CSV as in RFC 4180: commas, CRLF, quotes where necessary. */

/** Texts that a spreadsheet would run as a formula (OWASP, CSV injection); numbers such as `+1202…` are safe. */
const formula = /^[=@\t\r]|^[+-](?![\d.]+$)/

/** One line with its line end. */
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
  // As in tables: customers' texts must not control the terminal.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(/(?![\t\r\n])\p{Cc}/gu, '\ufffd')
}

/** Prefixes an apostrophe to what a spreadsheet would run. */
function defused(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Removes that apostrophe, so that an exported file can be imported. */
export function unquoted(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}
