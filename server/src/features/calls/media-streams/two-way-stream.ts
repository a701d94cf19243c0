/** A two-way stream: the call's party is bridged with the customer's server as with a dialled leg. */
import { streamScheme } from '../model/stream-address.js'
import type { AudioFarEnd, AudioRoute } from '../routing/route.js'
import type { Route } from '../routing/route.js'
import { free } from '../../rates/rating.js'
import type { GuardedSockets } from '../../../infrastructure/http-client/guarded-sockets.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { RawAudio } from '../../../adapters/freeswitch/raw-audio.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { Call } from '../model/call.entity.js'
import { CustomerSocket, StreamRefusedError } from './customer-socket.js'
import { FrameCutter } from './pcm.js'
import { type StreamSettings, streamUrl } from './stream-settings.js'

interface Services {
  readonly id: string
  readonly sockets: GuardedSockets
  /** Registers the socket, to be closed with the server. */
  keep(socket: CustomerSocket): void
  note(event: CallEventName, details: object): void
}

/** Limit of queued audio from the customer's server; anything beyond is dropped. */
const maxQueuedSeconds = 60

/** A route to a customer's server. */
export function routeToServer(settings: StreamSettings, services: Services): Route {
  const audio: AudioRoute = {
    sampleRate: settings.sample_rate ?? 8000,
    voiceAgentId: null,
    maxQueuedSeconds,
    uri: `${streamScheme}${services.id}`,
    prepare: async (call, signal) => prepare(call, settings, services, signal),
  }
  return {
    ...{ number: 'stream', caller: { user: 'stream', domain: '' }, rate: free },
    ...{ gatewayId: null, phone: null, credential: null, headers: {}, targets: [], audio },
  }
}

async function prepare(
  call: Call,
  { ws_url, headers = {}, sample_rate = 8000 }: StreamSettings,
  services: Services,
  signal: AbortSignal,
): Promise<AudioFarEnd> {
  const { sockets, id } = services
  const report = (details: object) =>
    services.note('call.stream', { stream_id: id, ...details, bidirectional: true })
  const options = { sockets, url: streamUrl(ws_url, call), headers, signal }
  const socket = await CustomerSocket.open(options).catch((error: unknown) => {
    const reason = error instanceof StreamRefusedError && !signal.aborted ? error.end : 'call_ended'
    report({ status: 'ended', reason })
    throw error
  })
  services.keep(socket)
  socket.on('closed', (reason) => {
    if (reason !== 'restart') report({ status: 'ended', reason })
  })
  return {
    begin: ({ channel, audio }) => {
      report({ status: 'started' })
      join(socket, audio, channel, sample_rate)
    },
    end: () => socket.close('call_ended'),
  }
}

function join(socket: CustomerSocket, audio: RawAudio, channel: Channel, sampleRate: number): void {
  const cutter = new FrameCutter(sampleRate / 50)
  audio.on('frame', (samples) => {
    for (const frame of cutter.cut(samples)) socket.send(frame)
  })
  socket.on('audio', (samples) => {
    audio.write(samples)
  })
  socket.on('killAudio', () => audio.clear())
  const leave = () => void channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
  socket.on('closed', (reason) => {
    // The next process reconnects to the server if the bridge still exists.
    if (reason !== 'restart') leave()
  })
  if (socket.isOver) leave()
  socket.begin()
}
