/** Tables for the terminal: aligned columns, nothing truncated. */

/** A column: heading and cell of a row. */
export type Columns<T> = Record<string, (row: T) => unknown>

/** Renders rows; empty cells are dashes. */
export function table<T>(rows: readonly T[], columns: Columns<T>): string {
  const headings = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => textOf(cell(row))))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => line[column]?.length ?? 0)),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    line(headings.map((heading) => heading.replaceAll('_', ' ').toUpperCase())),
    ...cells.map(line),
  ].join('\n')
}

/** Renders one object, one field a line; nested fields by their dotted path. */
export function fields(row: object): string {
  const lines = linesOf(row, '')
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`).join('\n')
}

function linesOf(row: object, path: string): [name: string, value: unknown][] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]) => {
    const here = `${path}${name}`
    const opened = isRecord(value) || (Array.isArray(value) && value.some(isRecord))
    return opened && Object.keys(value).length > 0 ? linesOf(value, `${here}.`) : [[here, value]]
  })
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (isRecord(value) && Object.keys(value).length === 0) return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(textOf).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Customers’ texts must not control the operator’s terminal.
  return text.replace(/\r?\n/g, ' ↵ ').replace(/\p{Cc}/gu, '\ufffd')
}
