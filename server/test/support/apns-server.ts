/**
 * Apple's push service as its documentation describes it, on this machine: HTTP/2 with TLS. It refuses what Apple
 * refuses, and keeps what it took.
 */
import { type KeyObject, createPublicKey, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import {
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  createSecureServer,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jwt from 'jsonwebtoken'
import { selfSigned } from './tls-relay.js'

export interface ApnsRequest {
  /** The device token of the path. */
  token: string
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds since 1970. */
  at: number
  status: number
}

/** An answer that a test orders for a device token: a status with its reason, or none at all. */
export type ApnsOrder = { status: number; reason: string } | 'silence' | 'reset'

/** A key that Apple knows, by its id. */
interface KnownKey {
  teamId: string
  publicKey: KeyObject
}

const topLevel = 5_120

export class ApnsServer {
  /** What was asked for, refused or not, in the order in which it came. */
  readonly requests: ApnsRequest[] = []
  connections = 0
  private readonly keys = new Map<string, KnownKey>()
  private readonly orders = new Map<string, ApnsOrder[]>()
  private readonly sessions = new Set<ServerHttp2Session>()

  private constructor(
    private readonly server: Http2SecureServer,
    private readonly directory: string,
    readonly caFile: string,
  ) {
    server.on('session', (session) => {
      this.connections++
      this.sessions.add(session)
      session.on('close', () => this.sessions.delete(session))
      session.on('error', () => undefined)
    })
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined)
      void this.answer(stream, headers)
    })
  }

  static async start(): Promise<ApnsServer> {
    const directory = mkdtempSync(join(tmpdir(), 'jackfield-apns-'))
    const { certificate, key } = await selfSigned(directory)
    const server = createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ApnsServer(server, directory, certificate)
  }

  /** The server's settings that lead to it. */
  get settings(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo
    return { JACKFIELD_PUSH_APNS_HOST: `localhost:${port}`, JACKFIELD_PUSH_APNS_CA_FILE: this.caFile }
  }

  /** Makes a key known, as Apple's developer site does. @param pem its private half */
  know(keyId: string, teamId: string, pem: string): void {
    this.keys.set(keyId, { teamId, publicKey: createPublicKey(pem) })
  }

  /** The next requests for a device token are answered so, one each. */
  order(token: string, ...orders: ApnsOrder[]): void {
    this.orders.set(token, [...(this.orders.get(token) ?? []), ...orders])
  }

  /** The pushes that were taken for a device token. */
  taken(token: string): ApnsRequest[] {
    return this.requests.filter((request) => request.token === token && request.status === 200)
  }

  /** Ends all connections without a word. */
  cut(): void {
    for (const session of this.sessions) session.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.server.close(resolve))
    rmSync(this.directory, { recursive: true, force: true })
  }

  private async answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const token = decodeURIComponent(/^\/3\/device\/([^/?]+)$/.exec(String(headers[':path']))?.[1] ?? '')
    const request: ApnsRequest = { token, headers, body, at: Date.now(), status: 0 }
    this.requests.push(request)
    const order = this.orders.get(token)?.shift()
    if (order === 'silence') return
    if (order === 'reset') {
      stream.session?.destroy()
      return
    }
    const { status, reason } = order ?? this.judge(token, headers, body)
    request.status = status
    if (stream.destroyed) return
    stream.respond({ ':status': status, 'apns-id': randomUUID() })
    stream.end(reason === '' ? undefined : JSON.stringify({ reason }))
  }

  /** Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs". */
  private judge(
    token: string,
    headers: IncomingHttpHeaders,
    body: string,
  ): { status: number; reason: string } {
    const topic = String(headers['apns-topic'] ?? '')
    const type = headers['apns-push-type']
    const priority = headers['apns-priority']
    const { aps } = JSON.parse(body) as { aps: Record<string, unknown> }
    if (headers[':method'] !== 'POST') return { status: 405, reason: 'MethodNotAllowed' }
    if (!this.isSigned(headers.authorization)) return { status: 403, reason: 'InvalidProviderToken' }
    if (!/^[0-9a-f]{64,}$/i.test(token)) return { status: 400, reason: 'BadDeviceToken' }
    if (topic === '') return { status: 400, reason: 'MissingTopic' }
    if (type !== 'voip' && type !== 'background') return { status: 400, reason: 'InvalidPushType' }
    if ((type === 'voip') !== topic.endsWith('.voip')) return { status: 400, reason: 'TopicDisallowed' }
    if (type === 'background' && (priority !== '5' || aps['content-available'] !== 1)) {
      return { status: 400, reason: 'BadPriority' }
    }
    if (Buffer.byteLength(body) > topLevel) return { status: 413, reason: 'PayloadTooLarge' }
    return { status: 200, reason: '' }
  }

  private isSigned(authorization: string | undefined): boolean {
    const token = authorization?.replace(/^bearer /, '') ?? ''
    const header = jwt.decode(token, { complete: true })?.header
    const key = this.keys.get(header?.kid ?? '')
    if (!key) return false
    try {
      // Apple refuses provider tokens that are older than an hour.
      jwt.verify(token, key.publicKey, { algorithms: ['ES256'], issuer: key.teamId, maxAge: '1h' })
      return true
    } catch {
      return false
    }
  }
}
