/** Channels of a real FreeSWITCH and the telephones at their ends, driven by the parts of calls themselves. */
import type { AnsweredLeg } from '../../src/features/calls/model/answered-leg.js'
import { pino } from 'pino'
import { type FoundBridge, Bridge } from '../../src/features/calls/bridge/bridge.js'
import type { RecoveredBridge } from '../../src/features/calls/bridge/recovered-bridge.js'
import { BridgeRecovery } from '../../src/features/calls/recovery/bridge-recovery.js'
import { free } from '../../src/features/rates/rating.js'
import type { CallLeg } from '../../src/features/calls/model/call-leg.entity.js'
import type { Channel } from '../../src/adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../src/adapters/freeswitch/channel-end.js'
import { EndedChannels } from '../../src/adapters/freeswitch/ended-channels.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { type DialRequest, Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { eventually } from './api-client.js'
import { type Freeswitch, startFreeswitch } from './freeswitch.js'
import type { PhoneDialog } from './phone-dialog.js'
import { Telephone } from './telephone.js'
import { toneLevel } from './tone.js'

/** Somebody at a phone, in a call. */
export interface Party {
  phone: Telephone
  dialog: PhoneDialog
  channel: Channel
  reached: AnsweredLeg
  /** The tone that they send. */
  hz: number
}

/** A talk that runs. */
export interface ActiveBridge {
  bridge: Bridge
  over: Promise<void>
  stop(): void
  ended: [AnsweredLeg, ChannelEnd][]
  /** All who came to bear the call. */
  bearers: AnsweredLeg[]
}

export class BridgeBench {
  link: SwitchLink
  switchboard: Switchboard
  private readonly phones: Telephone[] = []

  private constructor(private readonly freeswitch: Freeswitch) {
    ;[this.link, this.switchboard] = this.connect()
  }

  static async start(): Promise<BridgeBench> {
    const bench = new BridgeBench(await startFreeswitch())
    await bench.linked()
    return bench
  }

  /** Lets go of the switch as a server does that is killed, and comes to it as the next one. */
  async restart(): Promise<void> {
    await this.link.stop()
    ;[this.link, this.switchboard] = this.connect()
    await this.linked()
  }

  /** Calls a new phone, which answers. */
  async party(hz: number, afterBridge: 'park' | 'hangup' = 'hangup'): Promise<Party> {
    const { phone, dialog, channel } = await this.dial(hz, afterBridge)
    phone.accept(dialog)
    await eventually(
      async () => channel.state,
      (state) => state === 'answered',
      { what: `answer of ${hz}` },
    )
    return { phone, dialog, channel, hz, reached: { leg: legOf(channel.id), channel } }
  }

  /** Calls a new phone, which rings. */
  async dial(hz: number, afterBridge: 'park' | 'hangup', more: Partial<DialRequest> = {}) {
    const phone = await Telephone.open({
      username: `p${hz}`,
      domain: 'test',
      server: '127.0.0.1:1',
      toneHz: hz,
      onCall: 'ring',
    })
    this.phones.push(phone)
    const channelId = this.switchboard.newChannelId()
    const proxy = `127.0.0.1:${phone.port}`
    const channel = this.switchboard.dial({
      ...{ channelId, afterBridge, credential: null, headers: {} },
      recoveryVariables: { jackfield_call: callId },
      target: { user: `p${hz}`, host: 'test', port: null, transport: 'udp', proxy },
      callerId: { user: 'bench', name: 'Bench', domain: 'test' },
      codecs: ['PCMU'],
      ringTimeout: 10,
      maxDuration: 600,
      ...more,
    })
    return { phone, channel, dialog: await phone.called(0) }
  }

  /** Runs a talk as a call does. @param found of one that an earlier process left */
  run(line: AnsweredLeg, destination: AnsweredLeg, found: FoundBridge | null = null): ActiveBridge {
    const ended: [AnsweredLeg, ChannelEnd][] = []
    const bearers: AnsweredLeg[] = []
    const stopped = new AbortController()
    const bears = (one: AnsweredLeg) => {
      bearers.push(one)
      one.channel.once('ended', () => {
        if (bearers.at(-1) === one) stopped.abort()
      })
    }
    const bridge = new Bridge(
      { line, destination },
      {
        isVideo: false,
        legAnswered: () => undefined,
        legEnded: (reached, end) => void ended.push([reached, end]),
        primaryChanged: bears,
        lineReplaced: () => undefined,
      },
    )
    bears(found?.primarySide === 'destination' ? destination : line)
    const over = bridge.run(found, stopped.signal)
    return { bridge, over, ended, bearers, stop: () => stopped.abort() }
  }

  /** A talk whose server has gone, by its channels. @param line who bears the call */
  async find(line: Party, others: readonly Party[]): Promise<RecoveredBridge | null> {
    const store = { legEnded: async () => Promise.resolve() }
    const calls = others.map(({ reached }) => reached.leg.call_id)
    const journal = new EndedChannels(this.freeswitch.journal).of(calls)
    const recovery = new BridgeRecovery({ store, switchboard: this.switchboard })
    const found = await this.switchboard.adopt(line.channel.id)
    if (!found) throw new Error('the line is gone')
    line.channel = found.channel
    line.reached = { ...line.reached, channel: found.channel }
    return recovery.find(
      others.map(({ reached }) => reached.leg),
      found,
      { startedAt: new Date(0), heardAt: null, journal },
    )
  }

  /** Waits until a party hears nothing. */
  async quiet(party: Party): Promise<void> {
    await onlyHears(party, [], 'who is left alone')
  }

  async stop(): Promise<void> {
    await this.link.stop()
    await Promise.all(this.phones.map(async (phone) => phone.close()))
    await this.freeswitch.stop()
  }

  private connect(): [SwitchLink, Switchboard] {
    const { port, password } = this.freeswitch
    const link = new SwitchLink({ host: '127.0.0.1', port, password }, pino({ level: 'silent' }))
    return [link, new Switchboard(link)]
  }

  private async linked(): Promise<void> {
    const up = new Promise((resolve) => this.link.once('up', resolve))
    this.link.start()
    await up
  }
}

/** The tones of all parties, and those of the music. */
const known = [440, 600, 900, 1300, 1700, 523.25, 659.26]

/** Which of the known tones somebody hears in what comes from now on. */
export async function hearsNow({ dialog, phone }: Pick<Party, 'dialog' | 'phone'>): Promise<number[]> {
  const samples = () => {
    const { host, port } = dialog.media ?? {}
    return phone.ear.heard().find(({ source }) => source === `${host}:${port}`)?.pcm ?? new Int16Array()
  }
  const before = samples().length
  const until = Date.now() + 1_200
  while (samples().length < before + 8_000 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const heard = samples().subarray(before)
  return known.filter((hz) => toneLevel(heard, hz) > 0.15)
}

/** Waits until somebody hears these tones and no others. */
export async function onlyHears(
  party: Pick<Party, 'dialog' | 'phone'>,
  hz: number[],
  what: string,
): Promise<void> {
  const wanted = hz.join(' ')
  await eventually(
    async () => (await hearsNow(party)).join(' '),
    (heard) => heard === wanted,
    { what: `${what} hears ${wanted || 'nothing'}` },
  )
}

/** Of the music's chord, what nobody else sends. */
export const music = [523.25, 659.26]

/** Waits until somebody has heard all of these tones, at the same time or not. */
export async function hasHeard(
  party: Pick<Party, 'dialog' | 'phone'>,
  hz: number[],
  what: string,
): Promise<void> {
  const heard = new Set<number>()
  await eventually(
    async () => {
      for (const one of await hearsNow(party)) heard.add(one)
      return hz.every((one) => heard.has(one))
    },
    (all) => all,
    { what },
  )
}

const callId = 'call_1'

function legOf(channelId: string): CallLeg {
  return {
    ...{ id: `leg_${channelId.slice(0, 8)}`, call_id: callId, workspace_id: 'ws', channel_id: channelId },
    sip_call_id: null,
    ...{
      role: 'destination',
      number: '1',
      gateway_id: null,
      sip_account_id: null,
      agent_id: null,
      voice_agent_id: null,
      uri: 'sip:1@test',
    },
    ...{ ...free, charged_seconds: null, cost: null },
    ...{ created_at: new Date(), answered_at: null, ended_at: null },
    ...{ hangup_cause: null, sip_code: null, is_ended_by_peer: null },
  }
}
