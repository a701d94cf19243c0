/** What the pages of web phones share: their microphone, which is a tone, their ear, and what has happened in their call. */

/** `globalThis.phone` of a page, whichever library it has. */
export interface WebPhone {
  /** Connects and registers; returns how that ended. */
  register(url: string, uri: string, password: string, hz: number): Promise<string>
  /** Takes the registration back. */
  unregister(): Promise<void>
  call(uri: string): void
  answer(): void
  /** Refuses what rings, with 486. */
  reject(): void
  /** Returns whether it could: not while a re-INVITE is under way. */
  hold(on: boolean): boolean
  press(key: string, how: 'info' | 'rtp'): void
  /** Hands its call over (REFER). */
  refer(uri: string): void
  hangUp(): void
  /** Whether such an event of the latest call has come. */
  has(event: CallEvent): boolean
  /** How many calls have come in. */
  called(): number
  /** The header `Reason` of what ended the latest call before its answer. */
  reason(): string
  /** The frequency that is the loudest in what is heard, in Hz; null while it is silent. */
  loudest(): number | null
}

export type CallEvent = 'incoming' | 'confirmed' | 'over' | 'hold' | 'unhold'

/** `globalThis.kit` of a page. */
export interface WebPhoneKit {
  readonly microphone: MediaStream
  sing(hz: number): Promise<void>
  hear(connection: RTCPeerConnection): void
  happened(event: CallEvent): void
  /** Another call begins. */
  begin(incoming: boolean): void
  ended(reason: string): void
  readonly seen: Pick<WebPhone, 'has' | 'called' | 'reason' | 'loudest'>
}

const audio = new AudioContext()
const oscillator = new OscillatorNode(audio)
const microphone = new MediaStreamAudioDestinationNode(audio)
oscillator.connect(new GainNode(audio, { gain: 0.25 })).connect(microphone)
oscillator.start()
const analyser = new AnalyserNode(audio, { fftSize: 4_096, smoothingTimeConstant: 0 })
analyser.connect(new GainNode(audio, { gain: 0 })).connect(audio.destination)

let events: CallEvent[] = []
let calls = 0
let reason = ''

const kit: WebPhoneKit = {
  microphone: microphone.stream,

  async sing(hz) {
    await audio.resume()
    oscillator.frequency.value = hz
  },

  hear(connection) {
    connection.addEventListener('track', ({ track }) => {
      const stream = new MediaStream([track])
      const element = new Audio()
      element.srcObject = stream
      void element.play()
      new MediaStreamAudioSourceNode(audio, { mediaStream: stream }).connect(analyser)
    })
  },

  happened(event) {
    events.push(event)
  },

  begin(incoming) {
    events = incoming ? ['incoming'] : []
    reason = ''
    if (incoming) calls++
  },

  ended(why) {
    reason = why
    events.push('over')
  },

  seen: {
    has: (event) => events.includes(event),
    called: () => calls,
    reason: () => reason,

    loudest() {
      const levels = new Float32Array(analyser.frequencyBinCount)
      analyser.getFloatFrequencyData(levels)
      const highest = levels.reduce((best, level, at) => (level > (levels[best] ?? -Infinity) ? at : best), 0)
      if ((levels[highest] ?? -Infinity) < -50) return null
      return (highest * audio.sampleRate) / analyser.fftSize
    },
  },
}

Object.assign(globalThis, { kit })
