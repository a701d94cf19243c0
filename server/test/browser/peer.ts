/** What a test's page does with WebRTC; it runs in the browser. */

/** `globalThis.peer` of a page. */
export interface Peer {
  /** What its microphone hears from now on. */
  sing(hz: number): void
  /** Takes an offer, with a new peer connection or the one that there is; returns the answer with all candidates. */
  answer(offer: string, again: boolean): Promise<string>
  /** The amplitude of each tone in what is heard, as a part of full scale. */
  levels(tones: number[]): Promise<number[]>
  /** Packets of audio that came so far, by the present peer connection. */
  packets(): Promise<number>
  /** Presses keys in the audio (RFC 4733). */
  press(keys: string): void
  /** Whether the microphone is heard. */
  mute(on: boolean): void
}

const audio = new AudioContext()
const oscillator = new OscillatorNode(audio)
const microphone = new MediaStreamAudioDestinationNode(audio)
oscillator.connect(new GainNode(audio, { gain: 0.25 })).connect(microphone)
oscillator.start()
const analyser = new AnalyserNode(audio, { fftSize: 16_384, smoothingTimeConstant: 0 })
// An analyser that leads nowhere is not fed.
analyser.connect(new GainNode(audio, { gain: 0 })).connect(audio.destination)

let connection: RTCPeerConnection | undefined
let source: MediaStreamAudioSourceNode | undefined

function connect(): RTCPeerConnection {
  connection?.close()
  const made = new RTCPeerConnection()
  for (const track of microphone.stream.getAudioTracks()) made.addTrack(track, microphone.stream)
  made.addEventListener('track', ({ track }) => {
    const stream = new MediaStream([track])
    // Chromium decodes what an audio element plays.
    const element = new Audio()
    element.srcObject = stream
    void element.play()
    source?.disconnect()
    source = new MediaStreamAudioSourceNode(audio, { mediaStream: stream })
    source.connect(analyser)
  })
  return made
}

async function gathered(made: RTCPeerConnection): Promise<void> {
  if (made.iceGatheringState === 'complete') return
  await new Promise<void>((resolve) => {
    made.addEventListener('icegatheringstatechange', () => {
      if (made.iceGatheringState === 'complete') resolve()
    })
  })
}

/** Goertzel's sum, with a window so that one tone does not spill into another. */
function amplitude(samples: Float32Array, hz: number): number {
  let real = 0
  let imaginary = 0
  samples.forEach((sample, index) => {
    const weight = 1 - Math.cos((2 * Math.PI * index) / samples.length)
    const angle = (2 * Math.PI * hz * index) / audio.sampleRate
    real += weight * sample * Math.cos(angle)
    imaginary += weight * sample * Math.sin(angle)
  })
  return (2 * Math.hypot(real, imaginary)) / samples.length
}

const peer: Peer = {
  sing(hz) {
    oscillator.frequency.value = hz
  },

  async answer(offer, again) {
    await audio.resume()
    if (!again || !connection) connection = connect()
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription()
    await gathered(connection)
    return connection.localDescription?.sdp ?? ''
  },

  /** Over the third of a second that the analyser holds. */
  async levels(tones) {
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    return Promise.resolve(tones.map((hz) => amplitude(samples, hz)))
  },

  async packets() {
    let packets = 0
    const stats = await connection?.getStats()
    stats?.forEach((report: { type: string; packetsReceived?: number }) => {
      if (report.type === 'inbound-rtp') packets += report.packetsReceived ?? 0
    })
    return packets
  },

  press(keys) {
    connection?.getSenders()[0]?.dtmf?.insertDTMF(keys, 120, 80)
  },

  mute(on) {
    for (const track of microphone.stream.getAudioTracks()) track.enabled = !on
  },
}

Object.assign(globalThis, { peer })
