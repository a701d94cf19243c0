import type { components } from '@jackfield/sdk'

/** A profile for display: `agents  3 of 100`. */
export function readableProfile({
  limits,
  calls,
  counts,
  sip,
  retention,
  emergency_numbers,
  ...profile
}: components['schemas']['Profile']): object {
  const used = Object.entries(limits).map(([name, limit]) => [
    name,
    `${String(limit.used)} of ${String(limit.max)}`,
  ])
  const { max_per_second, max_concurrent_per_account, allowed_countries, ...may } = calls
  const allowed = {
    calls_per_second: max_per_second,
    calls_per_sip_account: max_concurrent_per_account,
    allowed_countries: allowed_countries?.join(', ') ?? 'all',
    premium_rates: may.allow_premium_rate,
    ...{ recording: may.recording, internal_recording: may.internal_recording },
  }
  const kept = Object.entries(retention).map(([kind, { days, min_days, max_days }]) => [
    `${kind}_kept`,
    `${days === null ? 'for ever' : `${String(days)} days`} (may be ${String(min_days)} to ${max_days === null ? 'any' : String(max_days)})`,
  ])
  const phones = {
    sip_domain: sip.domain,
    sip_agents_domain: sip.agents_domain,
    ...{ sip_host: sip.host, sip_port: sip.port, sip_tls_port: sip.tls_port, sip_wss_url: sip.wss_url },
  }
  return {
    ...profile,
    emergency_numbers: emergency_numbers.join(', '),
    ...phones,
    ...counts,
    ...allowed,
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...(Object.fromEntries(used) as Record<string, string>),
  }
}
