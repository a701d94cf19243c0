/** `uniqueItems` in linear time: ajv’s own compares each pair of items unless the schema gives them one simple type. */
import type { Ajv, FuncKeywordDefinition } from 'ajv'
import { isDeeper } from './json-levels.js'

const maxItemLevels = 500

export function useHashedUniqueItems(ajv: Ajv): void {
  ajv.removeKeyword('uniqueItems')
  const keyword: FuncKeywordDefinition = {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areUnique(items),
  }
  ajv.addKeyword(keyword)
}

function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    // No schema has such items, and to write them as text would take more than the stack.
    if (isDeeper(item, maxItemLevels)) continue
    const key = canonical(item)
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}

/** The same text for equal JSON values, whatever the order of their properties. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
