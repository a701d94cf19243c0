/** Telephone numbers as people write them. The API reads them in the workspace's country, but takes no separators everywhere. */

/** Spaces, brackets, points, slashes and dashes that people put between the digits. */
const separators = /[\s()./\u2010-\u2015-]/g

/** `+12025550123` of `+1 (202) 555-0123`. A text that is no number stays as it is, without spaces at its ends. */
export function writtenNumber(text: string): string {
  const digits = text.replaceAll(separators, '')
  return /^\+?\d+$/.test(digits) ? digits : text.trim()
}

/** What lists of numbers are searched for: they hold digits with the country code. Texts stay as they are. */
export function searchedNumber(text: string): string {
  return writtenNumber(text).replace('+', '')
}

/** @param fields that hold a number, or a list of numbers */
export function withWrittenNumbers<Values extends Record<string, unknown>>(
  values: Values,
  fields: readonly (keyof Values & string)[],
): Values {
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, read(values[field])])) }
}

function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read)
  return typeof value === 'string' ? writtenNumber(value) : value
}
