import type { components } from '@jackfield/sdk'

/** A profile as people read it: `agents  3 of 100`. */
export function readableProfile({
  limits,
  calls,
  counts,
  ...profile
}: components['schemas']['Profile']): object {
  const used = Object.entries(limits).map(([name, limit]) => [
    name,
    `${String(limit.used)} of ${String(limit.max)}`,
  ])
  const { max_per_second, max_concurrent_per_account, allowed_countries, recording, internal_recording } =
    calls
  const allowed = {
    calls_per_second: max_per_second,
    calls_per_sip_account: max_concurrent_per_account,
    allowed_countries: allowed_countries?.join(', ') ?? 'all',
    ...{ recording, internal_recording },
  }
  return { ...profile, ...counts, ...allowed, ...(Object.fromEntries(used) as Record<string, string>) }
}
