/** A workspace whose number leads to a voice agent, whose provider is a server of the test. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, eventually } from './api-client.js'
import type { SwitchKind } from './appliance.js'
import { InboundBench, type TestNode } from './inbound-bench.js'
import { type PhoneDialog, hears, loudness } from './phone-dialog.js'
import { RealtimeServer } from './realtime-server.js'
import type { TelephoneOptions } from './telephone.js'

export interface TestDialogue {
  position: number
  speaker: 'caller' | 'voice_agent'
  text: string
  is_interrupted: boolean
}

export interface TestSession {
  id: string
  leg_id: string
  voice_agent_id: string
  version: number
  provider: string
  model_id: string
  ended_at: string | null
  end_reason: string | null
  usage: Record<string, number> | null
  cost: number
}

/** What callers sound like. */
export const callerHz = 440

export const greeting = 'Hello, this is Ada.'

/** What the provider is paid for, USD a minute. */
export const pricePerMinute = 0.3

export class VoiceAgentBench {
  private constructor(
    readonly inbound: InboundBench,
    readonly provider: RealtimeServer,
    /** `va_…`, whose version 1 is published. */
    readonly voiceAgentId: string,
  ) {}

  static async start(
    options: Parameters<typeof InboundBench.start>[0] = {},
    kind: SwitchKind = 'freeswitch',
  ): Promise<VoiceAgentBench> {
    const provider = await RealtimeServer.start()
    provider.hz = 660
    const settings = {
      JACKFIELD_VOICE_AGENTS_SILENCE_SECONDS: '4',
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...options.settings,
    }
    const inbound = await InboundBench.start({ ...options, settings }, kind)
    const operator = inbound.bench.appliance.operator
    const made = await operator.post('/ai-providers', {
      ...{ name: 'test', kind: 'openai_realtime', price_per_minute: pricePerMinute },
      settings: { base_url: provider.baseUrl, api_key: provider.key, transcription_model: 'whisper-1' },
      models: [{ id: 'gpt-realtime', name: 'Realtime' }],
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    const input = { name: 'Ada', instructions: 'Answer questions about opening hours.' }
    const { status, body } = await inbound.api.post('/voice-agents', input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    const bench = new VoiceAgentBench(inbound, provider, body.id as string)
    await bench.set({ greeting_message: greeting, max_call_duration_seconds: 0 })
    return bench
  }

  get api(): ApiClient {
    return this.inbound.api
  }

  get appliance() {
    return this.inbound.bench.appliance
  }

  /** Changes the settings of a version. */
  async set(settings: object, version = 1): Promise<void> {
    const path = `/voice-agents/${this.voiceAgentId}/settings`
    const { status, body } = await this.api.patch(path, { version, ...settings })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  /** The node that connects with the voice agent, and those behind it. */
  nodes(params: object = {}, ...behind: TestNode[]): TestNode[] {
    const [next] = behind
    return [
      {
        ...{ id: 'ada', type: 'connect_voice_agent' },
        params: { voice_agent_id: this.voiceAgentId, ...params },
        next: next ? { default: next.id } : {},
      },
      ...behind,
    ]
  }

  /** Calls the number, which leads to the voice agent, and waits for the answer. The caller says nothing yet. */
  async call(nodes = this.nodes(), options: Partial<TelephoneOptions> = {}): Promise<VoiceAgentCall> {
    await this.inbound.runs(nodes)
    const before = await this.latest()
    const phone = await this.inbound.caller({ toneHz: callerHz, ...options })
    phone.ear.hush()
    const dialog = await this.inbound.answeredCall(phone)
    const id = await eventually(
      async () => this.latest(),
      (latest) => latest !== before,
      { what: 'call that came in' },
    )
    return new VoiceAgentCall(this, id!, dialog)
  }

  private async latest(): Promise<string | undefined> {
    const { body } = await this.api.get('/calls?limit=1')
    return (body.data as { call_id: string }[])[0]?.call_id
  }

  async sessions(callId: string): Promise<TestSession[]> {
    return (await this.api.get(`/calls/${callId}`)).body.voice_agent_sessions as TestSession[]
  }

  async transcript(callId: string): Promise<TestDialogue[]> {
    return (await this.api.get(`/calls/${callId}/transcript`)).body.data as TestDialogue[]
  }

  /** The call's last session, once it has ended. */
  async endedSession(callId: string, withinMs: number): Promise<TestSession> {
    const session = await eventually(
      async () => (await this.sessions(callId)).at(-1),
      (last) => last?.end_reason !== null && last !== undefined,
      { withinMs, what: 'end of the voice agent’s session' },
    )
    return session!
  }

  async stop(): Promise<void> {
    await this.inbound.stop()
    await this.provider.stop()
  }
}

/** One call, and its caller. */
export class VoiceAgentCall {
  constructor(
    private readonly bench: VoiceAgentBench,
    readonly id: string,
    readonly dialog: PhoneDialog,
  ) {}

  /** Says something: a tone. */
  async speak(ms = 600): Promise<void> {
    const { ear } = this.dialog.phone
    ear.speak()
    await sleep(ms)
    ear.hush()
  }

  /** Waits until the caller hears a tone in what comes now. */
  async hears(hz: number, what = `tone of ${hz} Hz`): Promise<void> {
    await eventually(
      async () => Promise.resolve(hears(this.dialog, hz, 1_600)),
      (level) => level > 0.5,
      { what },
    )
  }

  /** Waits until they hear nothing. */
  async hearsNothing(): Promise<void> {
    await eventually(
      async () => Promise.resolve(loudness(this.dialog)),
      (loudness) => loudness < 100,
      { what: 'silence' },
    )
  }

  /** Waits until so much was said. */
  async said(count: number, withinMs = 15_000): Promise<TestDialogue[]> {
    return eventually(
      async () => this.bench.transcript(this.id),
      (dialogue) => dialogue.length >= count,
      { withinMs, what: `${count} utterances` },
    )
  }

  /** The last session of it, once that has ended. */
  async session(withinMs = 15_000): Promise<TestSession> {
    return this.bench.endedSession(this.id, withinMs)
  }

  async path(): Promise<string> {
    return (await this.bench.inbound.path(this.id)).join(' ')
  }
}

/** What was said, as `speaker: text`. */
export function lines(dialogue: readonly TestDialogue[]): string[] {
  return dialogue.map(({ speaker, text }) => `${speaker}: ${text}`)
}
