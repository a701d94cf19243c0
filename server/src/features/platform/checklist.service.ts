/** The checklist of a first run: what is set up, what is not, and what to do next. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Mailer } from '../../infrastructure/mail/mailer.js'
import { answerWithin } from './answer-within.js'
import { type Counts, type Evidence, type Finding, checks } from './checks.js'
import { type CheckId, type Checklist, checkIds } from './checklist.schema.js'
import { reasons } from './reasons.js'
import type { OperatorStatusService } from './status.service.js'

interface Parts {
  readonly database: Database
  readonly status: OperatorStatusService
  readonly mailer: Mailer
  readonly addresses: Evidence['addresses']
  readonly stir: Evidence['stir']
  unreachableGateways(): Promise<{ id: string; host: string }[]>
  pendingGateways(): Promise<{ id: string; workspace_id: string; host: string }[]>
  readonly publicUrl: string
  readonly mailHost: string
}

const patienceMs = 5_000

const docs: Readonly<Record<CheckId, string>> = {
  switch: 'docs/operate/appliance.md#what-npm-run-up-does',
  sip_address: 'docs/reference/settings.md#sip',
  media_address: 'docs/reference/settings.md#audio-of-calls',
  sip_certificate: 'docs/install/certificates.md',
  web_address: 'docs/reference/settings.md#http',
  web_certificate: 'docs/install/certificates.md',
  disk: 'docs/calls/recordings.md',
  workspace: 'docs/start/command-line.md',
  credit: 'docs/operate/prices.md',
  trunk: 'docs/calls/trunks.md',
  number: 'docs/calls/trunks.md',
  caller_signing: 'docs/operate/stir-shaken.md',
  caller_verification: 'docs/operate/stir-shaken.md',
  sms_carrier: 'docs/messages/sms-carriers.md',
  ai_provider: 'docs/voice-agents/ai-providers.md',
  push: 'docs/integrate/push.md',
  mail: 'docs/operate/appliance.md#mail',
}

export class ChecklistService {
  constructor(private readonly parts: Parts) {}

  async look(): Promise<Checklist> {
    const { status, mailer, mailHost, addresses, publicUrl, stir } = this.parts
    const unreachableGateways = async () =>
      answerWithin(patienceMs, async () => this.parts.unreachableGateways())
    const pendingGateways = async () => answerWithin(patienceMs, async () => this.parts.pendingGateways())
    const [seen, counts] = await Promise.all([
      status.look(),
      answerWithin(patienceMs, async () => this.counts()),
    ])
    const mail = mailer.isConfigured ? { host: mailHost, ask: async () => this.askMail() } : null
    const evidence = {
      ...{ status: seen, counts, addresses, publicUrl, mail, stir, now: new Date() },
      ...{ unreachableGateways, pendingGateways },
    }
    const items = await Promise.all(checkIds.map(async (id) => itemOf(id, await checks[id](evidence))))
    return {
      checked_at: seen.checked_at,
      is_complete: items.every(({ state }) => state !== 'todo' && state !== 'failing'),
      items,
    }
  }

  /** @returns what the mail server says against us; '' when it takes our mail */
  private async askMail(): Promise<string> {
    const answer = await answerWithin(patienceMs, async () => this.parts.mailer.refusal())
    return answer ?? 'it does not answer'
  }

  /** Whether there are any is what counts: none is counted beyond a thousand. */
  private async counts(): Promise<Counts> {
    const some = (from: string) => `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT 1000) counted)`
    const [row] = await this.parts.database.source.query<Record<keyof Counts, number | string>[]>(
      `SELECT ${some('workspaces')} AS workspaces,
         ${some('credit_balances WHERE balance > 0')} AS with_credit,
         ${some('outbound_gateways')} + ${some('inbound_acls')} AS trunks,
         ${some("inbound_acls WHERE unverified_callers <> 'take'")} AS verifying_acls,
         ${some("phone_numbers WHERE status = 'active'")} AS active_numbers,
         ${some("phone_numbers WHERE status = 'pending'")} AS pending_numbers,
         ${some('ai_providers WHERE is_active = 1')} AS ai_providers,
         ${some('push_credentials')} AS push_credentials`,
    )
    return Object.fromEntries(
      Object.entries(row ?? {}).map(([name, n]) => [name, Number(n)]),
    ) as unknown as Counts
  }
}

function itemOf(id: CheckId, { reason, values = {} }: Finding): Checklist['items'][number] {
  const found: {
    state: Checklist['items'][number]['state']
    message: string
    advice?: string
    command?: string
  } = reasons[reason]
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => texts[name] ?? whole)
  return {
    ...{ id, reason, state: found.state, values: texts },
    message: filled(found.message),
    advice: found.advice === undefined ? null : filled(found.advice),
    command: found.command === undefined ? null : filled(found.command),
    docs: docs[id],
  }
}
