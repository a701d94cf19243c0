/**
 * Google's push service and its token endpoint as their documentation describes them, on this machine. They refuse what
 * Google refuses, and keep what they took.
 */
import { type KeyObject, createPublicKey, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import jwt from 'jsonwebtoken'

export interface FcmMessage {
  token: string
  data: Record<string, string>
  android?: { priority?: string; ttl?: string; restricted_package_name?: string }
  apns?: { headers?: Record<string, string>; payload?: { aps: Record<string, unknown> } }
}

export interface FcmRequest {
  project: string
  message: FcmMessage
  /** Milliseconds since 1970. */
  at: number
  status: number
}

/** An answer that a test orders for a registration token: an error of FCM, or none at all. */
export type FcmOrder =
  { status: number; errorCode: string; retryAfter?: number; message?: string } | 'silence'

const tokenUrl = 'https://oauth2.googleapis.com/token'
const scope = 'https://www.googleapis.com/auth/firebase.messaging'

export class FcmServer {
  /** Messages that came with a valid access token, refused or not. */
  readonly requests: FcmRequest[] = []
  /** How many access tokens were given. */
  tokensGiven = 0
  private readonly keys = new Map<string, KeyObject>()
  private readonly accessTokens = new Set<string>()
  private readonly orders = new Map<string, FcmOrder[]>()

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.serve(request, response))
  }

  static async start(): Promise<FcmServer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FcmServer(server)
  }

  /** The server's settings that lead to it. */
  get settings(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo
    return {
      JACKFIELD_PUSH_FCM_URL: `http://127.0.0.1:${port}`,
      JACKFIELD_PUSH_FCM_TOKEN_URL: `http://127.0.0.1:${port}/token`,
    }
  }

  /** Makes a service account known. @param pem the private half of its key */
  know(clientEmail: string, pem: string): void {
    this.keys.set(clientEmail, createPublicKey(pem))
  }

  /** Takes back all access tokens. */
  revokeTokens(): void {
    this.accessTokens.clear()
  }

  /** The next messages for a registration token are answered so, one each. */
  order(token: string, ...orders: FcmOrder[]): void {
    this.orders.set(token, [...(this.orders.get(token) ?? []), ...orders])
  }

  /** The messages that were taken for a registration token. */
  taken(token: string): FcmRequest[] {
    return this.requests.filter(({ message, status }) => message.token === token && status === 200)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (request.url === '/token') this.giveToken(body, response)
    else this.take(request, body, response)
  }

  private giveToken(body: string, response: ServerResponse): void {
    const form = new URLSearchParams(body)
    const assertion = form.get('assertion') ?? ''
    const issuer = (jwt.decode(assertion) as jwt.JwtPayload | null)?.iss ?? ''
    try {
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') throw new Error('grant')
      const options = { algorithms: ['RS256' as const], audience: tokenUrl, maxAge: '1h' }
      const claims = jwt.verify(assertion, this.keys.get(issuer) ?? '', options) as jwt.JwtPayload
      if (claims['scope'] !== scope) throw new Error('scope')
    } catch {
      answer(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
      return
    }
    const access_token = randomUUID()
    this.accessTokens.add(access_token)
    this.tokensGiven++
    answer(response, 200, { access_token, expires_in: 3_599, token_type: 'Bearer' })
  }

  /** Firebase, "FCM HTTP v1 API", projects.messages.send. */
  private take(request: IncomingMessage, body: string, response: ServerResponse): void {
    const [, project = ''] = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(request.url ?? '') ?? []
    const primary = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!this.accessTokens.has(primary)) {
      refuse(response, 401, 'UNAUTHENTICATED')
      return
    }
    const { message } = JSON.parse(body) as { message: FcmMessage }
    const taken: FcmRequest = { project, message, at: Date.now(), status: 0 }
    this.requests.push(taken)
    const order = this.orders.get(message.token)?.shift()
    if (order === 'silence') return
    const given = order ?? judge(message)
    const { status, errorCode, retryAfter, message: says = `it is ${errorCode}` } = given
    taken.status = status
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    if (status === 200)
      answer(response, 200, { name: `projects/${project}/messages/${this.requests.length}` })
    else refuse(response, status, errorCode, says)
  }
}

function judge({ data, android }: FcmMessage): Exclude<FcmOrder, 'silence'> {
  const isData = Object.values(data).every((value) => typeof value === 'string')
  const hasTtl = android?.ttl === undefined || /^\d+(\.\d+)?s$/.test(android.ttl)
  return isData && hasTtl ? { status: 200, errorCode: '' } : { status: 400, errorCode: 'INVALID_ARGUMENT' }
}

function refuse(response: ServerResponse, status: number, errorCode: string, message = errorCode): void {
  const type = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
  const details = [{ '@type': type, errorCode }]
  answer(response, status, {
    error: { code: status, message, status: errorCode, details },
  })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
