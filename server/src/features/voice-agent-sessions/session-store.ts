/** Sessions and their dialogue: the rows, and the events that are recorded in the same transaction. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import { insertRows, updateRows } from '../../infrastructure/database/rows.js'
import type { Page } from '../../infrastructure/http/lists.js'
import type { SpeechUsage } from '../../adapters/speech/speech-model.js'
import { CallDialogue } from './call-dialogue.entity.js'
import type { Said } from './said.js'
import { type SessionEnd, VoiceAgentSession } from './voice-agent-session.entity.js'

export interface EndedSession {
  endedAt: Date
  reason: SessionEnd
  usage: SpeechUsage | null
  /** USD. */
  cost: number
}

/** Utterances of an earlier conversation that a model is given, at most. */
const maxHistory = 200

export class SessionStore {
  constructor(
    private readonly database: Database,
    private readonly sink: EventSink,
  ) {}

  async begun(session: VoiceAgentSession): Promise<void> {
    await this.database.transaction(async (tx) => {
      // A write may be repeated if its answer was lost.
      if (await tx.existsBy(VoiceAgentSession, { id: session.id })) return
      await insertRows(tx, VoiceAgentSession, [session])
      await this.record(tx, session, 'transcription.started', session.started_at, {})
    })
  }

  /** @param usage of the session so far: a server that is killed loses no more than what it took since */
  async said(
    session: VoiceAgentSession,
    id: string,
    { speaker, text, isInterrupted, at }: Said,
    usage: SpeechUsage,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (await tx.existsBy(CallDialogue, { id })) return
      const { call_id, workspace_id } = session
      const position = await nextPosition(tx, call_id)
      const row = { id, workspace_id, call_id, session_id: session.id, position, speaker, text }
      await insertRows(tx, CallDialogue, [{ ...row, is_interrupted: isInterrupted, created_at: at }])
      await updateRows(tx, VoiceAgentSession, { id: session.id }, { usage_counts: usage })
      const line = { position, speaker, text, is_interrupted: isInterrupted }
      await this.record(tx, session, 'transcription.dialogue', at, line)
    })
  }

  /** Ends a session, once only. */
  async ended(session: VoiceAgentSession, { endedAt, reason, usage, cost }: EndedSession): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await tx.findOne(VoiceAgentSession, {
        where: { id: session.id },
        lock: { mode: 'pessimistic_write' },
      })
      if (!row || row.ended_at) return
      const changes = { ended_at: endedAt, end_reason: reason, usage_counts: usage, cost }
      await updateRows(tx, VoiceAgentSession, { id: session.id }, changes)
      await this.record(tx, session, 'transcription.completed', endedAt, { end_reason: reason })
      const utterances = await tx.countBy(CallDialogue, {
        ...{ call_id: session.call_id, session_id: session.id },
      })
      await this.record(tx, session, 'transcription.ready', endedAt, { utterances })
    })
  }

  async sessionsOf(call: { id: string }): Promise<VoiceAgentSession[]> {
    return this.database.platformTable(VoiceAgentSession).find({
      where: { call_id: call.id },
      order: { started_at: 'ASC', id: 'ASC' },
    })
  }

  /** The open session of a leg; null if there is none. */
  async openOn(legId: string): Promise<VoiceAgentSession | null> {
    const rows = await this.database.platformTable(VoiceAgentSession).findBy({ leg_id: legId })
    return rows.find(({ ended_at }) => ended_at === null) ?? null
  }

  /** Calls that ended before then and have an open session; at most `most`. */
  async callsLeftOpen(before: Date, most: number): Promise<string[]> {
    const rows = await this.database.source.query<{ call_id: string }[]>(
      `SELECT DISTINCT sessions.call_id FROM voice_agent_sessions sessions
         JOIN calls ON calls.id = sessions.call_id
        WHERE sessions.ended_at IS NULL AND calls.ended_at < ? LIMIT ?`,
      [before, most],
    )
    return rows.map(({ call_id }) => call_id)
  }

  /** What was said in a call, oldest first. */
  async dialogueOf(
    call: { id: string; workspace_id: string },
    page: { page: number; limit: number },
  ): Promise<Page<CallDialogue>> {
    const [rows, total] = await this.database.platformTable(CallDialogue).findAndCount({
      where: { call_id: call.id, workspace_id: call.workspace_id },
      order: { position: 'ASC' },
      skip: (page.page - 1) * page.limit,
      take: page.limit,
    })
    return { rows, total }
  }

  /** The last of what a voice agent and the caller have said to each other in a call, oldest first. */
  async historyOf(call: { id: string }, voiceAgentId: string): Promise<CallDialogue[]> {
    const own = (await this.sessionsOf(call)).filter(({ voice_agent_id }) => voice_agent_id === voiceAgentId)
    if (own.length === 0) return []
    const ids = new Set(own.map(({ id }) => id))
    const rows = await this.database.platformTable(CallDialogue).find({
      where: { call_id: call.id },
      order: { position: 'DESC' },
      take: maxHistory,
    })
    return rows.filter(({ session_id }) => ids.has(session_id)).reverse()
  }

  /** Open sessions of a call, for a stream that opens later. */
  async stateOf(callId: string): Promise<{ event: string; at: Date; data: object }[]> {
    const open = (await this.sessionsOf({ id: callId })).filter(({ ended_at }) => ended_at === null)
    return open.map((session) => ({
      ...{ event: 'transcription.started', at: session.started_at },
      data: payloadOf(session),
    }))
  }

  private async record(
    tx: EntityManager,
    session: VoiceAgentSession,
    event: string,
    created_at: Date,
    data: object,
  ): Promise<void> {
    const { workspace_id } = session
    const payload = { ...payloadOf(session), ...data }
    await this.sink.record(tx, [{ id: newId('evt'), event, workspace_id, created_at, data: payload }])
  }
}

function payloadOf({ id, call_id, voice_agent_id, version }: VoiceAgentSession): object {
  return { call_id, session_id: id, voice_agent_id, version }
}

/** Two writers that ask at the same time collide in the primary key, and one of them asks again. */
async function nextPosition(tx: EntityManager, callId: string): Promise<number> {
  const [row] = await tx.query<{ last: number | string | null }[]>(
    'SELECT MAX(position) AS last FROM call_dialogue WHERE call_id = ?',
    [callId],
  )
  return Number(row?.last ?? 0) + 1
}
