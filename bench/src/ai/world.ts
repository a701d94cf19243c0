/** An appliance on a real FreeSWITCH, a provider and the callers' ends, each in a process of its own. */
import { type Connection } from 'mysql2/promise'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { type Mariadb, startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { channelVariables, sipEndpoint } from '../../../server/dist/src/adapters/freeswitch/dial-string.js'
import { connectTo } from '../api/fill.js'
import type { Parts } from '../calls/parts.js'
import { extraSettings, partsOf } from '../calls/world.js'
import { EventSocket } from '../event-socket.js'
import { Part } from './part.js'
import type { phonesWork } from './phones.js'
import type { providerWork } from './provider.js'

/** The number that calls go out with. */
const national = '2025550198'

export class World {
  private made = 0

  private constructor(
    readonly bench: CallBench,
    private readonly mariadb: Mariadb,
    private readonly database: Connection,
    readonly events: EventSocket,
    readonly parts: Parts,
    readonly phones: Part<typeof phonesWork>,
    readonly provider: Part<typeof providerWork>,
    private readonly sipPort: number,
    private readonly voiceAgentId: string,
  ) {}

  /** @param talkMs how long the voice agent talks when it begins */
  static async start(talkMs: number): Promise<World> {
    const phones = await Part.start<typeof phonesWork>(new URL('./phones.js', import.meta.url))
    const provider = await Part.start<typeof providerWork>(new URL('./provider.js', import.meta.url))
    const sipPort = await phones.ask('open')
    const base_url = await provider.ask('open', { talkMs })
    const mariadb = await startMariadb({ durable: true })
    const bench = await CallBench.start('freeswitch', {
      mariadb,
      credit: 10_000,
      settings: {
        JACKFIELD_DATABASE_POOL: '20',
        JACKFIELD_VOICE_AGENTS_SILENCE_SECONDS: '600',
        ...extraSettings(),
      },
    })
    const { freeswitch } = bench.appliance
    if (!freeswitch) throw new Error('this needs a real FreeSWITCH')
    await bench.connectNumber(national, [{ uri: '127.0.0.1', port: sipPort, protocol: 'udp', priority: 1 }])
    const voiceAgentId = await voiceAgent(bench, base_url)
    const database = await connectTo(bench.appliance)
    const parts = await partsOf(bench, database)
    const events = await EventSocket.open(freeswitch)
    return new World(
      ...([bench, mariadb, database, events, parts, phones, provider, sipPort, voiceAgentId] as const),
    )
  }

  /** Calls somebody and has the voice agent talk with them. */
  async callWithAgent(): Promise<void> {
    const params = { voice_agent_id: this.voiceAgentId, max_duration_seconds: 600 }
    const from = { number: `+1${national}` }
    await this.bench.call(this.number(), [{ action: 'connect_voice_agent', params }], { from })
  }

  /** Makes a call over the same edge to which the switch itself plays a tone. */
  async callWithTone(): Promise<void> {
    const variables = channelVariables({
      ignore_early_media: 'true',
      originate_timeout: '60',
      absolute_codec_string: 'PCMU',
      sip_cid_type: 'none',
      sip_from_uri: `sip:+1${national}@sip.localhost`,
    })
    const { privateHost, privatePort } = this.bench.appliance.kamailio?.options ?? {}
    const target = sipEndpoint({
      ...{ user: this.number(), host: '127.0.0.1', port: this.sipPort, transport: 'udp' },
      proxy: `${privateHost}:${privatePort}`,
    })
    await this.events.ask(`bgapi originate ${variables}${target} &playback(tone_stream://%(60000,0,800))`)
  }

  /** Why voice agents have ended, and how often. */
  async ends(): Promise<string> {
    const sql = 'SELECT end_reason, COUNT(*) AS count FROM voice_agent_sessions GROUP BY end_reason'
    const [rows] = (await this.database.query(sql)) as unknown as [{ end_reason: string; count: number }[]]
    return rows.map(({ end_reason, count }) => `${end_reason} ${count}`).join(', ')
  }

  /** Ends all calls, and waits until all is quiet. */
  async hangUpAll(): Promise<void> {
    await this.events.ask('api hupall NORMAL_CLEARING')
    await this.events.untilIdle(20_000)
  }

  async stop(): Promise<void> {
    this.events.close()
    await this.database.end()
    await this.bench.stop()
    await this.mariadb.stop()
    this.phones.stop()
    this.provider.stop()
  }

  private number(): string {
    this.made += 1
    return `+1202${5_000_000 + this.made}`
  }
}

/** A voice agent of the bench's workspace, whose provider is ours; it greets, and says nothing by itself. */
async function voiceAgent({ appliance, workspace }: CallBench, base_url: string): Promise<string> {
  const provider = await appliance.operator.post('/ai-providers', {
    ...{ name: 'bench', kind: 'openai_realtime', settings: { base_url, api_key: 'test-key' } },
    ...{ models: [{ id: 'bench-1', name: 'Bench' }], price_per_minute: 0.1 },
  })
  if (provider.status !== 201) throw new Error(`no provider: ${JSON.stringify(provider.body)}`)
  const input = { name: 'Bench', instructions: 'Be a benchmark.' }
  const made = await workspace.api.post('/voice-agents', input)
  const { status, body } = made as { status: number; body: { id: string } }
  if (status !== 201) throw new Error(`no voice agent: ${JSON.stringify(body)}`)
  const { id } = body
  const settings = {
    version: 1,
    greeting_message: 'Hello.',
    max_call_duration_seconds: 0,
    model_id: 'bench-1',
  }
  const set = await workspace.api.patch(`/voice-agents/${id}/settings`, settings)
  if (set.status !== 200) throw new Error(`no settings: ${JSON.stringify(set.body)}`)
  return id
}
