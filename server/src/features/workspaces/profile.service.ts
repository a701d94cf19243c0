/** What a workspace may see of itself. */
import type { Database } from '../../infrastructure/database/database.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import {
  type Retention,
  type RetentionDays,
  type RetentionKind,
  type RetentionPolicy,
  retentionFields,
} from './retention-policy.js'
import { emergencyNumbersOf } from '../../lib/numbering/emergency.js'
import { accountsDomain, agentsDomain } from './sip-domains.js'
import type { StoredBytes } from './kept-bytes.js'
import type { CreditService } from './credit.service.js'
import type { UpdateProfile } from './profile.schema.js'
import type { Workspace } from './workspace.entity.js'
import { type WorkspaceService, unknownGateway } from './workspace.service.js'

/** A workspace with what it has, and how much of it it may have. */
export interface Profile extends Pick<
  Workspace,
  | 'id'
  | 'title'
  | 'country_code'
  | 'transfers_by'
  | keyof RetentionDays
  | 'leaders_only_own_teams'
  | 'agents_pause_recordings'
  | 'voicemail_transcription'
  | 'away_reasons'
  | 'recording_notice'
  | 'recording_notice_audio_id'
  | 'recording_notice_text'
  | 'recording_notice_voice'
  | 'emergency_gateway_id'
  | 'created_at'
  | 'updated_at'
> {
  /** Of its country. */
  emergency_numbers: string[]
  retention: Record<RetentionKind, Retention>
  credit_balance: number
  credit_held: number
  credit_available: number
  spending: Record<'hour' | 'day', { max: number | null; spent: number }>
  limits: Record<string, { max: number; used: number }>
  calls: {
    max_per_second: number
    max_concurrent_per_account: number
    allowed_countries: string[] | null
    allow_premium_rate: boolean
    recording: boolean
    internal_recording: boolean
  }
  sip: {
    domain: string
    agents_domain: string
    host: string | null
    port: number | null
    tls_port: number | null
    wss_url: string | null
  }
  counts: { live_calls: number }
}

const megabyte = 1_048_576

interface Options {
  database: Database
  workspaces: WorkspaceService
  credit: CreditService
  policy: RetentionPolicy
  /** How many rows a workspace may have, by table. */
  limits: Readonly<Record<string, number>>
  /** The operator's settings, for workspaces that have none of their own. */
  calls: { max_concurrent: number; max_per_second: number; max_concurrent_per_account: number }
  /** Where phones reach the edge: '' and 0 what is not known. */
  edge: {
    sip_domain: string
    public_host: string
    public_port: number
    public_tls_port: number
    public_wss_port: number
  }
  liveCalls: (workspace: Owner) => Promise<number>
  outboundGateways: { find(workspace: Owner, id: string): Promise<object | null> }
  storedBytes: Pick<StoredBytes, 'usedBy' | 'maxOf'>
  audios: { fileOf(workspace: Owner, id: string): Promise<string | null> }
  speech: { checkVoice(voice: string): Promise<boolean> }
}

function retentionOf(row: RetentionDays): RetentionDays {
  const fields = Object.values(retentionFields)
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as unknown as RetentionDays
}

export class ProfileService {
  constructor(private readonly options: Options) {}

  /** Names of what is limited. */
  get limited(): string[] {
    return Object.keys(this.options.limits)
  }

  async get(workspace: Owner): Promise<Profile> {
    const { workspaces, credit, liveCalls, calls } = this.options
    const { storedBytes } = this.options
    const [row, account, used, live_calls, kept, mayKeep] = await Promise.all([
      workspaces.get(workspace.id),
      credit.account(workspace),
      this.used(workspace),
      liveCalls(workspace),
      storedBytes.usedBy(workspace),
      storedBytes.maxOf(workspace),
    ])
    const storage_mb = { max: mayKeep / megabyte, used: Math.ceil(kept / megabyte) }
    const limits = Object.entries(this.options.limits).map(
      ([name, max]) => [name, { max, used: used.get(name) ?? 0 }] as const,
    )
    const concurrent_calls = { max: row.max_concurrent_calls ?? calls.max_concurrent, used: live_calls }
    const { id, title, country_code, leaders_only_own_teams, created_at, updated_at } = row
    const chosen = retentionOf(row)
    return {
      transfers_by: row.transfers_by,
      ...{ id, title, country_code, leaders_only_own_teams },
      agents_pause_recordings: row.agents_pause_recordings,
      voicemail_transcription: row.voicemail_transcription,
      away_reasons: row.away_reasons,
      recording_notice: row.recording_notice,
      recording_notice_audio_id: row.recording_notice_audio_id,
      recording_notice_text: row.recording_notice_text,
      recording_notice_voice: row.recording_notice_voice,
      emergency_gateway_id: row.emergency_gateway_id,
      emergency_numbers: emergencyNumbersOf(country_code),
      ...{ ...chosen, retention: this.options.policy.all(chosen) },
      credit_balance: account.balance,
      ...{ credit_held: account.held, credit_available: account.available },
      spending: {
        hour: { max: row.max_spend_per_hour, spent: account.spentThisHour },
        day: { max: row.max_spend_per_day, spent: account.spentToday },
      },
      limits: { ...Object.fromEntries(limits), concurrent_calls, storage_mb },
      calls: {
        max_per_second: row.max_calls_per_second ?? calls.max_per_second,
        max_concurrent_per_account: calls.max_concurrent_per_account,
        allowed_countries: row.allowed_countries,
        allow_premium_rate: row.allow_premium_rate,
        recording: row.call_recording,
        internal_recording: row.call_internal_recording,
      },
      sip: this.sip(workspace),
      counts: { live_calls },
      ...{ created_at, updated_at },
    }
  }

  /** @throws 400 unknown country, gateway, audio or voice, days of retention out of the operator's bounds */
  async update(workspace: Owner, input: UpdateProfile): Promise<Profile> {
    const { emergency_gateway_id: id } = input
    if (id && !(await this.options.outboundGateways.find(workspace, id))) throw unknownGateway()
    await this.checkNotice(workspace, input)
    await this.options.workspaces.update(workspace.id, input)
    return this.get(workspace)
  }

  private async checkNotice(workspace: Owner, input: UpdateProfile): Promise<void> {
    const { recording_notice_audio_id: audio, recording_notice_voice: voice } = input
    if (audio && (await this.options.audios.fileOf(workspace, audio)) === null) {
      const field = 'recording_notice_audio_id'
      throw invalidField(field, `${field} is not an audio of this workspace`)
    }
    if (voice && !(await this.options.speech.checkVoice(voice))) {
      throw invalidField('recording_notice_voice', 'recording_notice_voice is not a known voice')
    }
  }

  private sip({ id }: Owner): Profile['sip'] {
    const { sip_domain, public_host, public_port, public_tls_port, public_wss_port } = this.options.edge
    const known = (port: number) => (public_host !== '' && port > 0 ? port : null)
    const host = public_host.includes(':') ? `[${public_host}]` : public_host
    return {
      domain: accountsDomain(id, sip_domain),
      agents_domain: agentsDomain(id, sip_domain),
      host: public_host || null,
      port: known(public_port),
      tls_port: known(public_tls_port),
      wss_url: known(public_wss_port) === null ? null : `wss://${host}:${String(public_wss_port)}`,
    }
  }

  /** Counted from the indexes of all tables in one statement. */
  private async used(workspace: Owner): Promise<ReadonlyMap<string, number>> {
    const counts = this.limited.map(
      (table) => `SELECT '${table}' AS name, COUNT(*) AS used FROM ${table} WHERE workspace_id = ?`,
    )
    const rows: { name: string; used: string }[] = await this.options.database.source.query(
      counts.join(' UNION ALL '),
      counts.map(() => workspace.id),
    )
    return new Map(rows.map(({ name, used }) => [name, Number(used)]))
  }
}
