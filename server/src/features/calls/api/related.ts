/** What lists and records of calls show beside a call: who took or missed it, its team, queue, number, flow and contact. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ContactNames, NamedContact } from '../../contacts/contact-names.js'
import { appScheme } from '../model/app-user.js'
import type { Call } from '../model/call.entity.js'
import { type AnswererKind, isUnanswered } from '../model/call-outcome.js'
import { outsideNumber } from '../model/outside-number.js'
import { isOfStream } from '../model/stream-address.js'

/** An agent who takes part in a call. */
export interface CallAgent {
  id: string
  username: string
  display_name: string
}

export interface Titled {
  readonly id: string
  readonly title: string
}

/** Who took a call. `id`: of the agent, voice agent or SIP account; null for others, and for deleted ones. */
export interface Answerer {
  readonly kind: AnswererKind
  readonly id: string | null
  readonly name: string
}

export interface Related {
  readonly team: Titled | null
  /** The team in whose queue the caller waited last. */
  readonly queue: Titled | null
  readonly phone_number: (Titled & { readonly number: string }) | null
  readonly call_flow: Titled | null
  readonly answered_by: Answerer | null
  /** The agents who were called and did not answer; of calls without an answer. */
  readonly missed_by: readonly CallAgent[]
  /** The contact at the outside end. */
  readonly contact: NamedContact | null
}

interface Row {
  readonly id: string
  readonly team_id: string | null
  readonly team: string | null
  readonly queue_id: string | null
  readonly queue: string | null
  readonly number_id: string | null
  readonly number: string | null
  readonly number_title: string | null
  readonly flow_id: string | null
  readonly flow: string | null
  readonly uri: string | null
  readonly leg_number: string | null
  readonly gateway_id: string | null
  readonly agent_id: string | null
  readonly agent: string | null
  readonly voice_agent_id: string | null
  readonly voice_agent: string | null
  readonly sip_account_id: string | null
  readonly sip_account: string | null
}

export class RelatedToCalls {
  constructor(
    private readonly database: Database,
    private readonly contacts: Pick<ContactNames, 'of'>,
  ) {}

  /** By the calls' ids. */
  async of(workspace: Owner, calls: readonly Call[]): Promise<ReadonlyMap<string, Related>> {
    if (calls.length === 0) return new Map()
    const [rows, missed, contacts] = await Promise.all([
      this.rows(calls),
      this.missedBy(calls.filter(({ outcome }) => isUnanswered(outcome))),
      this.contacts.of(workspace, [...new Set(calls.map(outsideNumber))].filter(Boolean)),
    ])
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      calls.map((call) => [
        call.id,
        {
          ...relatedIn(rowOf.get(call.id)),
          missed_by: missed.get(call.id) ?? [],
          contact: contacts.get(outsideNumber(call)) ?? null,
        },
      ]),
    )
  }

  private async rows(calls: readonly Call[]): Promise<Row[]> {
    return this.database.source.query<Row[]>(
      `SELECT calls.id, team.id AS team_id, team.title AS team, queue.id AS queue_id, queue.title AS queue,
         number.id AS number_id, number.number, number.title AS number_title, flow.id AS flow_id, flow.title AS flow,
         leg.uri, leg.number AS leg_number, leg.gateway_id, agent.id AS agent_id, agent.display_name AS agent,
         leg.voice_agent_id, voice_agent.name AS voice_agent, leg.sip_account_id, sip_account.title AS sip_account
       FROM calls
       LEFT JOIN teams team ON team.id = calls.team_id
       LEFT JOIN teams queue ON queue.id = (SELECT wait.team_id FROM queue_waits wait
         WHERE wait.call_id = calls.id ORDER BY wait.entered_at DESC LIMIT 1)
       LEFT JOIN phone_numbers number ON number.id = calls.phone_number_id
       LEFT JOIN call_flows flow ON flow.id = calls.call_flow_id
       LEFT JOIN call_legs leg ON leg.id = calls.answered_leg_id
       LEFT JOIN agents agent ON agent.id = leg.agent_id
       LEFT JOIN voice_agents voice_agent ON voice_agent.id = leg.voice_agent_id
       LEFT JOIN sip_accounts sip_account ON sip_account.id = leg.sip_account_id
       WHERE calls.id IN (?)`,
      [calls.map(({ id }) => id)],
    )
  }

  private async missedBy(calls: readonly Call[]): Promise<ReadonlyMap<string, CallAgent[]>> {
    if (calls.length === 0) return new Map()
    const rows = await this.database.source.query<(CallAgent & { call_id: string })[]>(
      `SELECT DISTINCT offer.call_id, agent.id, agent.username, agent.display_name
       FROM call_offers offer JOIN agents agent ON agent.id = offer.agent_id
       WHERE offer.call_id IN (?) AND offer.result <> 'answered' ORDER BY agent.display_name, agent.id`,
      [calls.map(({ id }) => id)],
    )
    const missed = new Map<string, CallAgent[]>()
    for (const { call_id, ...agent } of rows) missed.set(call_id, [...(missed.get(call_id) ?? []), agent])
    return missed
  }
}

function relatedIn(row: Row | undefined): Omit<Related, 'missed_by' | 'contact'> {
  if (!row) return { team: null, queue: null, phone_number: null, call_flow: null, answered_by: null }
  const number = row.number === null ? null : { number: `+${row.number}` }
  const numbered = titled(row.number_id, row.number_title)
  return {
    team: titled(row.team_id, row.team),
    queue: titled(row.queue_id, row.queue),
    phone_number: numbered && number && { ...numbered, ...number },
    call_flow: titled(row.flow_id, row.flow),
    answered_by: answererIn(row),
  }
}

const titled = (id: string | null, title: string | null): Titled | null =>
  id === null || title === null ? null : { id, title }

function answererIn(row: Row): Answerer | null {
  const { uri, leg_number: number } = row
  if (uri === null || number === null) return null
  if (row.voice_agent_id !== null)
    return { kind: 'voice_agent', id: row.voice_agent_id, name: row.voice_agent ?? '' }
  if (row.agent_id !== null) return { kind: 'agent', id: row.agent_id, name: row.agent ?? '' }
  if (row.sip_account_id !== null)
    return { kind: 'sip_account', id: row.sip_account_id, name: row.sip_account ?? '' }
  if (isOfStream({ uri })) return { kind: 'stream', id: null, name: number }
  const kind = uri.startsWith(appScheme) ? 'client' : 'number'
  return { kind, id: null, name: row.gateway_id === null ? number : `+${number}` }
}
