/** How deep JSON goes: who writes it again as text must not run out of stack. */

/** Levels of a body. Places whose values are free take as many as the stack surely holds. */
export const maxLevels = 2_500

/** Whether objects and lists lie within each other more than so many times. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
