/** Headers of requests in a form: rows, which are the fields of an object in the API. */
import { isTwice } from './twice'

export interface HeaderRow {
  name: string
  value: string
}

export function headerRowsOf(headers: Readonly<Record<string, string>> = {}): HeaderRow[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

export function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Whether an earlier row has the same name, ignoring case (RFC 9110, section 5.1). @param path `headers.1.name` */
export function isHeaderTwice(rows: readonly HeaderRow[], path: string): boolean {
  return isTwice(
    rows.map(({ name }) => name.toLowerCase()),
    path,
  )
}

/**
 * Form path of an API field: `headers.X-Api-Key` is the value in the row of that name, `headers.1.value`.
 * @param object the API's name for the headers
 */
export function headerFieldIn(field: string, rows: readonly HeaderRow[], object = 'headers'): string {
  const index = rows.findIndex(({ name }) => field === `${object}.${name}`)
  return index < 0 ? field : `headers.${index}.value`
}
