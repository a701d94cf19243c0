/** What each thing of the checklist is looked at by. */
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type SeenCertificate, certificateOf } from './certificate.js'
import type { CheckId } from './checklist.schema.js'
import { operatorUrl } from './operator-url.js'
import type { ReasonName } from './reasons.js'
import type { Stir } from '../../adapters/stir-shaken/stir.js'
import type { OperatorStatus } from './status.schema.js'

/** What was found. */
export interface Finding {
  readonly reason: ReasonName
  readonly values?: Readonly<Record<string, string | number>>
}

/** How much of what every platform needs is there, over all workspaces. */
export interface Counts {
  readonly workspaces: number
  readonly with_credit: number
  readonly trunks: number
  /** ACLs that refuse unverified callers. */
  readonly verifying_acls: number
  readonly active_numbers: number
  readonly pending_numbers: number
  readonly ai_providers: number
  readonly push_credentials: number
}

/** What there is to look at. Null: it could not be asked. */
export interface Evidence {
  readonly status: OperatorStatus
  readonly counts: Counts | null
  readonly addresses: { readonly sip: string; readonly media: string; readonly tlsPort: number }
  readonly stir: Pick<Stir, 'signsUntil' | 'verifies'>
  /** With `{workspace}` in it. */
  readonly publicUrl: string
  /** What the mail server says against us; '' when it takes our mail; null where there is none. */
  readonly mail: { readonly host: string; ask(): Promise<string> } | null
  /** Gateways that lead only where calls may not be sent; null when they could not be looked at. */
  unreachableGateways(): Promise<{ id: string; host: string }[] | null>
  /** Gateways that wait for the operator's approval, each with a host; null when they could not be looked at. */
  pendingGateways(): Promise<{ id: string; workspace_id: string; host: string }[] | null>
  readonly now: Date
}

type Check = (evidence: Evidence) => Finding | Promise<Finding>

const gigabyte = 1_000_000_000
const leastSpace = 2 * gigabyte

/** A certificate is renewed before this. */
const soonMs = 14 * 86_400_000

export const checks: Readonly<Record<CheckId, Check>> = {
  switch({ status: { switch: seen } }) {
    if (seen.facts === null) return { reason: 'switch_down' }
    const { kind, version, keeps_journal } = seen.facts
    return { reason: kind === 'freeswitch' && !keeps_journal ? 'no_journal' : kind, values: { version } }
  },
  sip_address: ({ addresses }) => addressFinding(addresses.sip, 'JACKFIELD_SIP_HOST'),
  media_address: ({ addresses }) => addressFinding(addresses.media, 'JACKFIELD_RTP_HOST'),
  async sip_certificate({ addresses: { sip, tlsPort }, now }) {
    const name = `${sip}:${tlsPort}`
    if (!sip || !tlsPort) return { reason: 'unknown_address', values: { setting: 'JACKFIELD_SIP_HOST' } }
    const seen = await certificateOf({ host: sip, port: tlsPort })
    if (seen?.isSelfSigned) return { reason: 'self_signed' }
    // Phones may know an authority that this machine does not.
    return certificateFinding(seen && { ...seen, error: '' }, name, now)
  },
  async web_address({ publicUrl }) {
    const url = operatorUrl(publicUrl)
    if (isOfThisMachine(url.hostname)) return { reason: 'only_this_machine', values: { url: publicUrl } }
    const error = await lookup(url.hostname).then(
      () => '',
      (failure: unknown) => (failure as Error).message,
    )
    if (error) return { reason: 'unresolved', values: { url: publicUrl, name: url.hostname, error } }
    return { reason: 'web_name', values: { url: publicUrl } }
  },
  async web_certificate({ publicUrl, now }) {
    const url = operatorUrl(publicUrl)
    if (url.protocol !== 'https:') return { reason: 'no_https' }
    const seen = await certificateOf({ host: url.hostname, port: Number(url.port || 443) })
    return certificateFinding(seen, url.host, now)
  },
  disk({ status: { servers } }) {
    const disks = servers.flatMap(({ facts }) => facts?.disks ?? [])
    const [fullest] = disks.toSorted((one, other) => one.free_bytes - other.free_bytes)
    if (!fullest) return { reason: 'disk_unseen' }
    const free = (fullest.free_bytes / gigabyte).toFixed(1)
    if (fullest.free_bytes < leastSpace)
      return { reason: 'little_space', values: { free, path: fullest.path } }
    return { reason: 'space', values: { free } }
  },
  workspace: counted('workspaces', 'workspaces', 'no_workspace'),
  credit: counted('with_credit', 'credit', 'no_credit'),
  async trunk(evidence) {
    const [one, ...others] = (await evidence.unreachableGateways()) ?? []
    if (one)
      return {
        reason: 'gateways_refused',
        values: { count: others.length + 1, gateway: one.id, host: one.host },
      }
    const [waiting, ...more] = (await evidence.pendingGateways()) ?? []
    if (!waiting) return counted('trunks', 'trunk', 'no_trunk')(evidence)
    const { id: gateway, workspace_id: workspace, host } = waiting
    return { reason: 'gateways_pending', values: { count: more.length + 1, gateway, workspace, host } }
  },
  number({ counts }) {
    if (!counts) return { reason: 'database_down' }
    const { active_numbers: active, pending_numbers: pending } = counts
    if (active > 0) return { reason: 'numbers', values: { count: active } }
    return pending > 0 ? { reason: 'numbers_pending', values: { count: pending } } : { reason: 'no_number' }
  },
  caller_signing({ stir: { signsUntil }, now }) {
    if (!signsUntil) return { reason: 'no_signing' }
    const left = signsUntil.getTime() - now.getTime()
    const values = { until: signsUntil.toISOString().slice(0, 10) }
    if (left <= 0) return { reason: 'signing_expired', values }
    return { reason: left < soonMs ? 'signing_expires' : 'signing', values }
  },
  caller_verification({ stir: { verifies }, counts }) {
    if (verifies) return { reason: 'verification' }
    if (!counts) return { reason: 'database_down' }
    const { verifying_acls: count } = counts
    return count > 0 ? { reason: 'authorities_missing', values: { count } } : { reason: 'no_verification' }
  },
  sms_carrier({ status: { work } }) {
    if (!work) return { reason: 'database_down' }
    const { carriers } = work
    if (carriers.length === 0) return { reason: 'no_carrier' }
    const active = carriers.filter(({ state }) => state !== 'inactive')
    if (active.length === 0) return { reason: 'carriers_idle' }
    const down = active.find(({ state }) => state === 'down')
    if (down)
      return {
        reason: 'carriers_down',
        values: { title: down.title, error: down.last_error ?? 'no server holds it' },
      }
    return {
      reason: 'carriers_up',
      values: { count: active.filter(({ state }) => state === 'up').length },
    }
  },
  ai_provider: counted('ai_providers', 'ai_providers', 'no_ai_provider'),
  push: counted('push_credentials', 'push', 'no_push'),
  async mail({ mail }) {
    if (!mail) return { reason: 'no_mail' }
    const error = await mail.ask()
    return error
      ? { reason: 'mail_refused', values: { host: mail.host, error } }
      : { reason: 'mail', values: { host: mail.host } }
  },
}

function counted(name: keyof Counts, some: ReasonName, none: ReasonName): Check {
  return ({ counts }) => {
    if (!counts) return { reason: 'database_down' }
    return counts[name] > 0 ? { reason: some, values: { count: counts[name] } } : { reason: none }
  }
}

function addressFinding(address: string, setting: string): Finding {
  const values = { address, setting }
  if (!ipaddr.isValid(address)) return { reason: 'unknown_address', values }
  const range = ipaddr.process(address).range()
  if (range === 'loopback') return { reason: 'loopback_address', values }
  return { reason: range === 'unicast' ? 'public_address' : 'private_address', values }
}

function certificateFinding(seen: SeenCertificate | null, name: string, now: Date): Finding {
  if (!seen) return { reason: 'certificate_unseen', values: { name } }
  const values = { name, until: seen.until.toISOString().slice(0, 10), error: seen.error }
  const left = seen.until.getTime() - now.getTime()
  if (left <= 0) return { reason: 'certificate_expired', values }
  if (seen.error) return { reason: 'certificate_untrusted', values }
  return { reason: left < soonMs ? 'certificate_expires' : 'certificate', values }
}

/** RFC 6761, section 6.3: names under localhost lead to the machine that looks them up. */
function isOfThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}
