import type { components } from '@jackfield/sdk'

/** A profile as people read it: `agents  3 of 100`. */
export function readableProfile({ limits, counts, ...profile }: components['schemas']['Profile']): object {
  const used = Object.entries(limits).map(([name, limit]) => [
    name,
    `${String(limit.used)} of ${String(limit.max)}`,
  ])
  return { ...profile, ...counts, ...(Object.fromEntries(used) as Record<string, string>) }
}
