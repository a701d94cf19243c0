/**
 * A call that this page is an app of: its WebSocket, its peer connection, the microphone and what is heard (docs/apps.md,
 * "A call's WebSocket"). It comes back by itself when the socket is lost, and lets go of everything at its end.
 */
import { Meter } from './meter'

/** Where a call is that the page has a token for. */
export interface CallWay {
  ws_url: string
  call_token: string
}

export type AppCallState =
  /** The socket opens, and the server looks for the call. */
  | { at: 'connecting' }
  /** There is an offer: it rings here until it is answered. */
  | { at: 'ringing' }
  | { at: 'answering' }
  | { at: 'talking'; since: number; isMuted: boolean; isHeld: boolean; isAway: boolean }
  | { at: 'ended'; reason: string; talkedMs: number }

interface Frame {
  event: string
  data: Record<string, unknown>
}

/** The server keeps the place of an app that is away for so long. */
const awayMs = 30_000

const comeBackMs = 1_000

/** Waiting longer for what the server says next is of no use. */
const connectMs = 40_000

/** Codes of closed sockets after which the same token is of no use (docs/apps.md, "What closes a socket"). */
const finalCodes = new Set([1000, 4003, 4004, 4008])

export class AppCall {
  readonly microphone = new Meter()
  readonly heard = new Meter()
  private current: AppCallState = { at: 'connecting' }
  private readonly listeners = new Set<() => void>()
  private socket: WebSocket | undefined
  private connection: RTCPeerConnection | undefined
  private readonly audio = new Audio()
  private offer: string | undefined
  private token: string
  private lastError: string | undefined
  private lostAt: number | undefined
  private timer: number | undefined
  private tokenListener: ((token: string) => void) | undefined

  /**
   * @param sound what is sent: the tracks of this stream are stopped at the end
   * @param answersAtOnce a call that the page has made itself: nobody is asked whether they take it
   */
  constructor(
    private readonly way: CallWay,
    private sound: MediaStream,
    private readonly answersAtOnce: boolean,
  ) {
    this.token = way.call_token
    this.audio.autoplay = true
    this.microphone.follow(sound)
    this.timer = window.setTimeout(() => this.end('timeout'), connectMs)
    this.connect(false)
  }

  get state(): AppCallState {
    return this.current
  }

  /** Tells of each token for coming back, which takes the place of the one before. */
  onToken(listener: (token: string) => void): void {
    this.tokenListener = listener
  }

  /** @returns what ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = (): AppCallState => this.current

  /** Takes the call that rings. */
  async answer(): Promise<void> {
    const { offer } = this
    if (offer === undefined) return
    this.offer = undefined
    if (this.current.at === 'ringing') this.set({ at: 'answering' })
    try {
      const connection = this.connection ?? this.newConnection()
      await connection.setRemoteDescription({ type: 'offer', sdp: offer })
      await connection.setLocalDescription()
      this.say('call.answer', { sdp: connection.localDescription?.sdp ?? '' })
    } catch {
      this.hangUp()
      this.end('failed')
    }
  }

  hangUp(): void {
    this.say('call.hangup')
    if (this.socket?.readyState !== WebSocket.OPEN) this.end('hangup')
  }

  reject(reason?: string): void {
    this.say('call.reject', reason === undefined ? {} : { reason })
  }

  mute(muted: boolean): void {
    this.say('call.mute', { muted })
  }

  hold(on: boolean): void {
    this.say(on ? 'call.hold' : 'call.unhold')
  }

  /** @param digits of `0-9 A-D * #` */
  dtmf(digits: string): void {
    this.say('call.dtmf', { digits })
  }

  transfer(target: string, reason?: string): void {
    this.say('call.transfer', { target, ...(reason && { reason }) })
  }

  /** Leaves the call, if it lasts, and lets go of everything. */
  close(): void {
    if (this.current.at === 'ended') return
    this.hangUp()
    this.end('hangup')
  }

  private connect(resume: boolean): void {
    const socket = new WebSocket(this.way.ws_url)
    this.socket = socket
    socket.onopen = () => this.say('session.connect', { token: this.token, ...(resume && { resume }) })
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (this.socket === socket) this.take(JSON.parse(data) as Frame)
    }
    socket.onclose = ({ code }) => {
      if (this.socket === socket) this.lost(code)
    }
  }

  private take({ event, data }: Frame): void {
    switch (event) {
      case 'call.offer':
        this.offer = String(data['sdp'])
        if (this.current.at === 'connecting') this.set({ at: 'ringing' })
        // A further one is for the connection that there is, and asks nobody.
        if (this.answersAtOnce || this.current.at === 'talking') void this.answer()
        break
      case 'call.answered':
      case 'call.token':
        this.token = String(data['call_token'])
        this.tokenListener?.(this.token)
        this.lostAt = undefined
        window.clearTimeout(this.timer)
        if (this.current.at === 'talking') this.change({ isAway: false })
        else this.set({ at: 'talking', since: Date.now(), isMuted: false, isHeld: false, isAway: false })
        break
      case 'call.muted':
        this.change({ isMuted: data['muted'] === true })
        break
      case 'call.held':
      case 'call.unheld':
        this.change({ isHeld: event === 'call.held' })
        break
      case 'call.ice_candidate':
        void this.connection?.addIceCandidate(data).catch(() => undefined)
        break
      case 'call.ended':
        this.end(String(data['reason']))
        break
      case 'error':
        this.lastError = String(data['code'])
        break
    }
  }

  private newConnection(): RTCPeerConnection {
    const connection = new RTCPeerConnection()
    for (const track of this.sound.getAudioTracks()) connection.addTrack(track, this.sound)
    connection.onicecandidate = ({ candidate }) => {
      this.say('call.ice_candidate', candidate?.toJSON() ?? { candidate: '' })
    }
    connection.ontrack = ({ track }) => {
      const stream = new MediaStream([track])
      this.audio.srcObject = stream
      // A browser that has seen no click yet plays nothing; the click that began the call is one.
      void this.audio.play().catch(() => undefined)
      this.heard.follow(stream)
    }
    this.connection = connection
    return connection
  }

  /** Another microphone from now on; the one before is let go. */
  async speakInto(sound: MediaStream): Promise<void> {
    const before = this.sound
    const [track] = sound.getAudioTracks()
    if (this.current.at === 'ended' || !track) {
      stopAll(sound)
      return
    }
    this.sound = sound
    this.microphone.follow(sound)
    try {
      await this.connection?.getSenders()[0]?.replaceTrack(track)
    } finally {
      stopAll(before)
    }
  }

  /** Speakers or headset; where the browser cannot choose, its own. */
  async playAt(deviceId: string): Promise<void> {
    await this.audio.setSinkId?.(deviceId)
  }

  private lost(code: number): void {
    if (this.current.at === 'ended') return
    const isFinal = finalCodes.has(code) || this.current.at !== 'talking'
    this.lostAt ??= Date.now()
    if (isFinal || Date.now() - this.lostAt > awayMs) {
      this.end(this.lastError ?? 'failed')
      return
    }
    this.change({ isAway: true })
    window.clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.connect(true), comeBackMs)
  }

  private say(event: string, data: object = {}): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ event, data }))
  }

  private end(reason: string): void {
    const { current } = this
    if (current.at === 'ended') return
    this.set({ at: 'ended', reason, talkedMs: current.at === 'talking' ? Date.now() - current.since : 0 })
    window.clearTimeout(this.timer)
    this.socket?.close()
    this.connection?.close()
    this.audio.srcObject = null
    stopAll(this.sound)
    this.microphone.close()
    this.heard.close()
  }

  private change(changed: Partial<Extract<AppCallState, { at: 'talking' }>>): void {
    if (this.current.at === 'talking') this.set({ ...this.current, ...changed })
  }

  private set(state: AppCallState): void {
    this.current = state
    for (const listener of this.listeners) listener()
  }
}

function stopAll(sound: MediaStream): void {
  for (const track of sound.getTracks()) track.stop()
}
