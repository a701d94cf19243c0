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
  /** What its camera films from now on, as a colour of CSS. Without a film it takes no part in video. */
  film(colour: string): void
  /** The mean of red, green and blue in the picture that is seen, 0 to 255 each; null while there is none. */
  seen(): number[] | null
}

const audio = new AudioContext()
const oscillator = new OscillatorNode(audio)
const microphone = new MediaStreamAudioDestinationNode(audio)
oscillator.connect(new GainNode(audio, { gain: 0.25 })).connect(microphone)
oscillator.start()
const analyser = new AnalyserNode(audio, { fftSize: 16_384, smoothingTimeConstant: 0 })
// An analyser that leads nowhere is not fed.
analyser.connect(new GainNode(audio, { gain: 0 })).connect(audio.destination)

const scene = document.createElement('canvas')
const painter = scene.getContext('2d')
let camera: MediaStreamTrack | undefined
let colour = 'black'
/** Pictures that do not change are not sent. */
let frame = 0
const screen = document.createElement('video')
screen.muted = true

function paint(): void {
  if (!painter) return
  painter.fillStyle = colour
  painter.fillRect(0, 0, scene.width, scene.height)
  painter.fillStyle = 'white'
  painter.fillRect(frame++ % scene.width, 0, 4, 4)
}

let connection: RTCPeerConnection | undefined
let source: MediaStreamAudioSourceNode | undefined

function connect(): RTCPeerConnection {
  connection?.close()
  const made = new RTCPeerConnection()
  for (const track of microphone.stream.getAudioTracks()) made.addTrack(track, microphone.stream)
  if (camera) made.addTrack(camera, microphone.stream)
  made.addEventListener('track', ({ track }) => {
    const stream = new MediaStream([track])
    if (track.kind === 'video') {
      screen.srcObject = stream
      void screen.play()
      return
    }
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

  film(next) {
    colour = next
    if (camera) return
    scene.width = 320
    scene.height = 240
    camera = scene.captureStream(15).getVideoTracks()[0]
    setInterval(paint, 66)
  },

  seen() {
    if (screen.videoWidth === 0) return null
    const still = document.createElement('canvas')
    still.width = still.height = 1
    const context = still.getContext('2d')
    context?.drawImage(screen, 0, 0, 1, 1)
    return [...(context?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])]
  },

  mute(on) {
    for (const track of microphone.stream.getAudioTracks()) track.enabled = !on
  },
}

Object.assign(globalThis, { peer })
