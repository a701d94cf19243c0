/**
 * One app's WebSocket: it authenticates with the call's token, and then controls its part in that one call (contract,
 * Per-call WebSocket signaling). docs/integrate/apps.md has what both sides send.
 */
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import type { Credentials } from '../../auth/credentials.js'
import {
  type AppControls,
  type AppLink,
  AppRefused,
  type ClientLegRegistry,
  type ServerEvent,
} from './client-leg-registry.js'
import type { CallTokenClaims } from '../../../infrastructure/tokens/call-tokens.js'
import { TokenError } from '../../../infrastructure/tokens/tokens.js'
import { type AppFrame, FrameError, readFrame } from './call-socket-frames.js'
import { FrameBudget } from './frame-budget.js'

/** Close codes: RFC 6455, section 7.4, has those below 4000; docs/integrate/apps.md documents all. */
const closeCodes = {
  over: 1000,
  goingAway: 1001,
  internal: 1011,
  tryAgain: 1013,
  connectTimeout: 4001,
  unauthorized: 4003,
  notFound: 4004,
  tooManyFaults: 4008,
} as const

export interface CallSocketServices {
  readonly clientLegs: ClientLegRegistry
  readonly credentials: Pick<Credentials, 'readCallToken' | 'valid'>
  readonly log: Logger
}

/** The call that the URL names. */
export interface SocketTarget {
  readonly workspaceId: string
  readonly callId: string
}

/** Time for an app to authenticate (contract, Limits). */
const connectMs = 3_000

/**
 * A client with more unsent bytes than this reads too slowly and is disconnected; a session description has a few thousand.
 */
const maxUnsentBytes = 262_144

/** Time for an app to close its side after we have closed ours. */
const lingerMs = 2_000

/** Frames that wait until earlier ones are done. */
const maxWaiting = 64

export class CallSocket {
  /** Whether it has sent anything since the last ping. */
  isAlive = true
  /** The source of the app's token; the socket ends with it. */
  credential: string | undefined
  private state: 'new' | 'connecting' | 'connected' | 'closed' = 'new'
  private controls: AppControls | undefined
  private turn: Promise<void> = Promise.resolve()
  private waiting = 0
  private readonly budget = new FrameBudget()
  private readonly deadline: NodeJS.Timeout
  private linger: NodeJS.Timeout | undefined

  constructor(
    private readonly socket: WebSocket,
    private readonly target: SocketTarget,
    private readonly services: CallSocketServices,
  ) {
    this.deadline = setTimeout(() => {
      // A busy server may have the frame already and not have read it: sockets are read before immediates run.
      setImmediate(() => this.expire())
    }, connectMs)
    socket.on('message', (data, isBinary) => this.receive(data, isBinary))
    socket.on('ping', () => this.count())
    socket.on('pong', () => {
      this.isAlive = true
    })
    // ws answers protocol errors with a close frame; `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.linger)
      this.closed()
    })
  }

  /** Whether it is not authenticated yet. */
  get isNew(): boolean {
    return this.state === 'new'
  }

  /** Sends a ping; a socket that has sent nothing since the last one is dead. */
  ping(): void {
    if (!this.isAlive) {
      this.socket.terminate()
      return
    }
    this.isAlive = false
    this.socket.ping()
  }

  /** This server stops, and the app reconnects to another one or to this one again: its leg is left as it is. */
  leave(): void {
    this.controls = undefined
    this.close(closeCodes.goingAway, 'the server restarts')
  }

  /** The app's session or API key has ended: it loses its leg, as when it is disconnected for too long. */
  revoke(): void {
    const { reason, message } = new TokenError('revoked')
    this.refuse(`token_${reason}`, message, closeCodes.unauthorized)
  }

  terminate(): void {
    this.socket.terminate()
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.state === 'closed') return
    this.isAlive = true
    if (!this.count()) return
    try {
      if (isBinary) throw new FrameError('bad_frame', 'frames are text')
      // Text comes as one Buffer: `binaryType` is not changed.
      const frame = readFrame((data as Buffer).toString())
      if (frame.event === 'session.connect') this.accept(frame.data)
      else this.queue(frame)
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      this.fault(error.code, error.message)
    }
  }

  /** @returns false if the frame exceeds the rate */
  private count(): boolean {
    if (this.budget.take()) return true
    this.fault('rate_limited', 'too many frames: the last one is not taken')
    return false
  }

  private fault(code: string, message: string): void {
    if (this.budget.fault()) this.send({ event: 'error', data: { code, message } })
    else this.refuse('too_many_errors', 'too many bad frames', closeCodes.tooManyFaults)
  }

  private accept({ token, resume = false }: { token: string; resume?: boolean }): void {
    if (this.state !== 'new') {
      this.fault('already_connected', 'a socket connects once')
      return
    }
    clearTimeout(this.deadline)
    this.state = 'connecting'
    this.turn = this.connect(token, resume)
  }

  private expire(): void {
    if (this.state !== 'new') return
    this.refuse('not_connected', 'session.connect must come within 3 seconds', closeCodes.connectTimeout)
  }

  private async connect(token: string, resume: boolean): Promise<void> {
    try {
      const claims = await this.services.credentials.readCallToken(this.target.workspaceId, token)
      if (claims.call_id !== this.target.callId) throw new TokenError('invalid')
      this.credential = claims.credential
      const controls = await this.services.clientLegs.connect(claimsOf(claims), this.linkFor(resume))
      if (this.state === 'closed') {
        controls.gone()
        return
      }
      this.controls = controls
      this.state = 'connected'
    } catch (error) {
      if (error instanceof TokenError) {
        this.refuse(`token_${error.reason}`, error.message, closeCodes.unauthorized)
      } else if (error instanceof AppRefused) {
        const isLater = error.code === 'not_ready'
        this.refuse(error.code, error.message, isLater ? closeCodes.tryAgain : closeCodes.notFound)
      } else {
        this.services.log.error(
          { event: 'call_socket.connect_failed', err: error, call: this.target.callId },
          'an app could not connect',
        )
        this.refuse('internal', 'internal error', closeCodes.internal)
      }
    }
  }

  private linkFor(resume: boolean): AppLink {
    return {
      resume,
      send: (event) => this.send(event),
      close: (code, reason) => this.close(code, reason),
    }
  }

  /** Handles the app's requests one after the other. */
  private queue(frame: AppFrame): void {
    if (this.state === 'new') {
      this.fault('not_connected', 'session.connect comes first')
      return
    }
    if (this.waiting >= maxWaiting) {
      this.fault('rate_limited', 'too many frames wait: the last one is not taken')
      return
    }
    this.waiting += 1
    this.turn = this.turn.then(async () => {
      this.waiting -= 1
      await this.handle(frame)
    })
  }

  private async handle(frame: AppFrame): Promise<void> {
    const { controls } = this
    if (!controls) return
    try {
      await perform(frame, controls)
    } catch (error) {
      const { code, message } =
        error instanceof AppRefused ? error : { code: 'internal', message: 'internal error' }
      if (code === 'internal') {
        this.services.log.error(
          { event: 'call_socket.frame_failed', err: error, call: this.target.callId, frame: frame.event },
          'frame failed',
        )
      }
      this.send({ event: 'error', data: { code, message } })
    }
  }

  private send(event: ServerEvent): void {
    if (this.state === 'closed' || this.socket.readyState !== this.socket.OPEN) return
    if (this.socket.bufferedAmount > maxUnsentBytes) this.socket.terminate()
    else this.socket.send(JSON.stringify(event))
  }

  /** Sends the reason, and closes. */
  private refuse(code: string, message: string, closeCode: number): void {
    this.send({ event: 'error', data: { code, message } })
    this.close(closeCode, message)
  }

  private close(code: number, reason: string): void {
    if (this.state === 'closed') return
    this.closed()
    this.socket.close(code, reason)
    this.linger = setTimeout(() => this.socket.terminate(), lingerMs)
  }

  /** Ignores the app's frames from now on. */
  private closed(): void {
    if (this.state === 'closed') return
    clearTimeout(this.deadline)
    this.state = 'closed'
    const { controls } = this
    this.controls = undefined
    controls?.gone()
  }
}

function claimsOf({ kind, sub, workspace_id, call_id, fs_uuid, mode, credential }: CallTokenClaims) {
  return {
    kind,
    sub,
    workspace_id,
    call_id,
    fs_uuid,
    ...(mode && { mode }),
    ...(credential && { credential }),
  }
}

async function perform({ event, data }: AppFrame, controls: AppControls): Promise<void> {
  switch (event) {
    case 'call.answer':
      return controls.answer(data.sdp)
    case 'call.ice_candidate':
      return controls.candidate(data)
    case 'call.hangup':
      return controls.hangUp()
    case 'call.reject':
      return controls.reject(data.reason)
    case 'call.transfer':
      return controls.transfer(data.target, data.reason)
    case 'call.dtmf':
      return controls.dtmf(data.digits)
    case 'call.mute':
      return controls.mute(data.muted)
    case 'call.hold':
      return controls.hold()
    case 'call.unhold':
      return controls.unhold()
    case 'call.camera':
      return controls.camera(data.on)
    case 'session.connect':
      return
  }
}
