/**
 * The switch's journal of ended channels: a line for each, which tells how those ended whose events
 * nobody heard. Its columns are those of freeswitch-conf/freeswitch.xml.
 */
import { open } from 'node:fs/promises'
import { type ChannelEnd, sipStatus } from './channel-end.js'
import { microseconds } from './switch-event.js'

/** Lines further back than this are not looked at. */
const maxBytes = 32 * 1024 * 1024

export class EndedChannels {
  /** @param path of the journal; empty where the switch keeps none */
  constructor(private readonly path: string) {}

  /** Whether the switch keeps one: then every channel that it had and has no more stands in it. */
  get isKept(): boolean {
    return this.path !== ''
  }

  /** How a channel ended, or null when the journal does not tell. */
  async find(channelId: string): Promise<ChannelEnd | null> {
    const text = await this.tail()
    const at = text.lastIndexOf(`${channelId},`)
    if (at < 0) return null
    const [line = ''] = text.slice(at).split('\n', 1)
    const [, , , hangupCause = '', inviteStatus, , , answered, ended] = line.replaceAll('"', '').split(',')
    const endedAt = microseconds(ended)
    if (!endedAt || !hangupCause) return null
    const answeredAt = microseconds(answered)
    return { hangupCause, sipCode: answeredAt ? null : sipStatus(inviteStatus), answeredAt, endedAt }
  }

  private async tail(): Promise<string> {
    if (!this.path) return ''
    const file = await open(this.path, 'r').catch(() => null)
    if (!file) return ''
    try {
      const { size } = await file.stat()
      const from = Math.max(0, size - maxBytes)
      const buffer = new Uint8Array(size - from)
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
      return Buffer.from(buffer.buffer, 0, bytesRead).toString('latin1')
    } finally {
      await file.close()
    }
  }
}
