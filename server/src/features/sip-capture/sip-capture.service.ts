/** The SIP of one call. */
import type { Database } from '../../infrastructure/database/database.js'
import { UnavailableError, notFound } from '../../infrastructure/http/errors.js'
import type { CaptureReceiver } from './capture-receiver.js'
import type { CaptureStore } from './capture-store.js'
import { type CapturedMessage, messageIn } from './hep.js'
import { pcapOf } from './pcap.js'

interface Parts {
  readonly database: Database
  readonly store: CaptureStore
  readonly receiver: Pick<CaptureReceiver, 'isOn'>
}

interface LegRow {
  /** Null for a call that has no legs yet. */
  readonly channel_id: string | null
  readonly sip_call_id: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

/** Around a call: its INVITE came before its row, and its BYE is answered after its end. */
const marginMs = 60_000

const mostMessages = 5_000

/** Looking through files takes memory: of more at once the others are asked to come again. */
const mostAtOnce = 2

export class SipCaptureService {
  private looking = 0

  constructor(private readonly parts: Parts) {}

  /**
   * All messages of all legs that passed through the edge, as a pcap file; an empty one where nothing is kept of them.
   * @throws 404 no such call in the workspace, 503 too many look at the same time
   */
  async pcapOfCall(workspaceId: string, callId: string): Promise<Buffer> {
    const legs = await this.parts.database.source.query<LegRow[]>(
      `SELECT leg.channel_id, leg.sip_call_id, calls.created_at, calls.ended_at FROM calls
       LEFT JOIN call_legs leg ON leg.call_id = calls.id WHERE calls.id = ? AND calls.workspace_id = ?`,
      [callId, workspaceId],
    )
    const [first] = legs
    if (!first) throw notFound(`Call ${callId} not found`)
    if (!this.parts.receiver.isOn) return pcapOf([])
    // Of legs that we call the switch makes the Call-ID of its own id.
    const known = legs.map(({ channel_id, sip_call_id }) => sip_call_id ?? channel_id)
    const ids = new Set(known.filter((id) => id !== null))
    const from = first.created_at.getTime() - marginMs
    const to = (first.ended_at?.getTime() ?? Date.now()) + marginMs
    const messages = await this.find(ids, from, to)
    return pcapOf(messages)
  }

  private async find(ids: ReadonlySet<string>, from: number, to: number): Promise<CapturedMessage[]> {
    if (this.looking >= mostAtOnce) throw new UnavailableError('Others are looking at captured SIP', 1)
    this.looking += 1
    try {
      const datagrams = await this.parts.store.find(ids, from, to, mostMessages)
      const messages = datagrams.map((one) => messageIn(one)).filter((one) => one !== null)
      return messages.toSorted((one, other) => Number(one.at - other.at))
    } finally {
      this.looking -= 1
    }
  }
}
