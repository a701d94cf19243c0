/** The peer connection of a call, and its audio output. */
import { Meter } from './meter'

interface Listener {
  candidate(candidate: RTCIceCandidateInit): void
  /** `disconnected` may recover by itself; `failed` does not. */
  changed(state: 'connected' | 'disconnected' | 'failed'): void
}

export class CallMedia {
  readonly heard = new Meter()
  private connection: RTCPeerConnection | undefined
  private readonly audio = new Audio()

  constructor(private readonly listener: Listener) {
    this.audio.autoplay = true
  }

  /** Applies an offer; later offers go to the existing connection. @returns the answer */
  async answer(offer: string, sound: MediaStream): Promise<string> {
    const connection = this.connection ?? this.connect(sound)
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription()
    return connection.localDescription?.sdp ?? ''
  }

  add(candidate: RTCIceCandidateInit): void {
    void this.connection?.addIceCandidate(candidate).catch(() => undefined)
  }

  /** Replaces the track that is sent. */
  async send(track: MediaStreamTrack): Promise<void> {
    await this.connection?.getSenders()[0]?.replaceTrack(track)
  }

  /** Sets the output device; browsers that cannot choose use their default. */
  async playAt(deviceId: string): Promise<void> {
    await this.audio.setSinkId?.(deviceId)
  }

  /** The next offer gets a new connection. */
  forget(): void {
    const { connection } = this
    this.connection = undefined
    connection?.close()
  }

  close(): void {
    this.forget()
    this.audio.srcObject = null
    this.heard.close()
  }

  private connect(sound: MediaStream): RTCPeerConnection {
    const connection = new RTCPeerConnection()
    this.connection = connection
    for (const track of sound.getAudioTracks()) connection.addTrack(track, sound)
    connection.onicecandidate = ({ candidate }) => {
      if (this.connection === connection) this.listener.candidate(candidate?.toJSON() ?? { candidate: '' })
    }
    connection.onconnectionstatechange = () => {
      const { connectionState: state } = connection
      if (this.connection !== connection) return
      if (state === 'connected' || state === 'disconnected' || state === 'failed')
        this.listener.changed(state)
    }
    connection.ontrack = ({ track }) => {
      const stream = new MediaStream([track])
      this.audio.srcObject = stream
      // Browsers block audio before the first click; the click that started the call counts.
      void this.audio.play().catch(() => undefined)
      this.heard.follow(stream)
    }
    return connection
  }
}
