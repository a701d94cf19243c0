/** What a page of a test does with JsSIP, which is loaded before; it runs in the browser. */

/** `globalThis.phone` of a page. */
export interface WebPhone {
  /** Connects and registers; returns how that ended. */
  register(url: string, uri: string, password: string, hz: number): Promise<string>
  call(uri: string): void
  /** Returns whether it could: not while a re-INVITE is under way. */
  hold(on: boolean): boolean
  hangUp(): void
  /** Whether such an event of the call has come. */
  has(event: string): boolean
  /** The frequency that is the loudest in what is heard, in Hz; null while it is silent. */
  loudest(): number | null
}

interface Session extends EventTargetLike {
  connection: RTCPeerConnection | undefined
  hold(): boolean
  unhold(): boolean
  terminate(): void
}

interface EventTargetLike {
  on(event: string, listener: (details: { session: Session; cause?: string }) => void): void
}

interface UserAgent extends EventTargetLike {
  start(): void
  call(uri: string, options: object): void
}

declare const JsSIP: {
  UA: new (options: object) => UserAgent
  WebSocketInterface: new (url: string) => object
}

const audio = new AudioContext()
const oscillator = new OscillatorNode(audio)
const microphone = new MediaStreamAudioDestinationNode(audio)
oscillator.connect(new GainNode(audio, { gain: 0.25 })).connect(microphone)
oscillator.start()
const analyser = new AnalyserNode(audio, { fftSize: 4_096, smoothingTimeConstant: 0 })
analyser.connect(new GainNode(audio, { gain: 0 })).connect(audio.destination)

const events: string[] = []
let agent: UserAgent | undefined
let session: Session | undefined

function hear(connection: RTCPeerConnection): void {
  connection.addEventListener('track', ({ track }) => {
    const stream = new MediaStream([track])
    const element = new Audio()
    element.srcObject = stream
    void element.play()
    new MediaStreamAudioSourceNode(audio, { mediaStream: stream }).connect(analyser)
  })
}

const phone: WebPhone = {
  async register(url, uri, password, hz) {
    await audio.resume()
    oscillator.frequency.value = hz
    const made = new JsSIP.UA({ sockets: [new JsSIP.WebSocketInterface(url)], uri, password })
    agent = made
    made.on('newRTCSession', (details) => {
      session = details.session
      for (const event of ['confirmed', 'ended', 'failed', 'hold', 'unhold'])
        session.on(event, () => events.push(event))
      if (session.connection) hear(session.connection)
    })
    return new Promise((resolve) => {
      made.on('registered', () => resolve('registered'))
      made.on('registrationFailed', ({ cause }) => resolve(cause ?? 'failed'))
      made.start()
    })
  },

  call(uri) {
    agent?.call(uri, { mediaStream: microphone.stream, pcConfig: { iceServers: [] } })
  },

  hold(on) {
    return (on ? session?.hold() : session?.unhold()) ?? false
  },

  hangUp() {
    session?.terminate()
  },

  has: (event) => events.includes(event),

  loudest() {
    const levels = new Float32Array(analyser.frequencyBinCount)
    analyser.getFloatFrequencyData(levels)
    const highest = levels.reduce((best, level, at) => (level > (levels[best] ?? -Infinity) ? at : best), 0)
    if ((levels[highest] ?? -Infinity) < -50) return null
    return (highest * audio.sampleRate) / analyser.fftSize
  },
}

Object.assign(globalThis, { phone })
