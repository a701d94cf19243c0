/** Values that break software which believes what it is told. */
export const loneSurrogate = '\ud800'

/** Texts. */
export const malice = [
  '',
  ' ',
  "'",
  "' OR '1'='1",
  '"; DROP TABLE workspaces; --',
  '%',
  '_!%',
  '\\',
  '\u0000',
  'a\u0000b\u001b[2J\r\nX-Injected: 1',
  '\u2028\u202e\ufeff',
  loneSurrogate,
  '😀é漢',
  '${jndi:x}{{7*7}}<script>',
  '__proto__',
  'hasOwnProperty',
  '../../etc/passwd',
  'x'.repeat(5_000),
]

/** Arrays within arrays, as JSON: many are too deep to be built as a value. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
