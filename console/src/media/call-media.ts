/** The peer connection of a call, and what is heard of it. */
import { Meter } from './meter'

interface Listener {
  candidate(candidate: RTCIceCandidateInit): void
  /** `disconnected` may pass by itself; `failed` does not. */
  changed(state: 'connected' | 'disconnected' | 'failed'): void
}

export class CallMedia {
  readonly heard = new Meter()
  private connection: RTCPeerConnection | undefined
  private readonly audio = new Audio()

  constructor(private readonly listener: Listener) {
    this.audio.autoplay = true
  }

  /** Takes an offer: a further one is for the connection that there is. @returns the answer */
  async answer(offer: string, sound: MediaStream): Promise<string> {
    const connection = this.connection ?? this.connect(sound)
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription()
    return connection.localDescription?.sdp ?? ''
  }

  add(candidate: RTCIceCandidateInit): void {
    void this.connection?.addIceCandidate(candidate).catch(() => undefined)
  }

  /** Sends another track from now on. */
  async send(track: MediaStreamTrack): Promise<void> {
    await this.connection?.getSenders()[0]?.replaceTrack(track)
  }

  /** Speakers or headset; where the browser cannot choose, its own. */
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
      // A browser that has seen no click yet plays nothing; the click that began the call is one.
      void this.audio.play().catch(() => undefined)
      this.heard.follow(stream)
    }
    return connection
  }
}
