/**
 * Apple's push service, with a token key (Apple, "Sending notification requests to APNs" and "Establishing a token-based
 * connection to APNs"): HTTP/2, one connection a credential, a provider token of ES256 that is renewed every 55 minutes.
 */
import type { ClientHttp2Session } from 'node:http2'
import { Notification, Provider, type ResponseFailure } from '@parse/node-apn'
import { apnsBody } from './payloads.js'
import { type Push, type PushClient, type PushOutcome, reasonOf } from './push.js'

/** What a credential for iOS holds. */
export interface ApnsKey {
  keyId: string
  teamId: string
  bundleId: string
  /** PKCS#8 in PEM. */
  privateKey: string
  production: boolean
}

export interface ApnsAddress {
  /** `host` or `host:port` in place of Apple's two; empty for those. */
  host: string
  /** The authority behind the host's certificate; empty for the public ones. */
  caFile: string
}

/** The library's own limit for a request; the signal of a push mostly ends it earlier. */
const requestTimeoutMs = 5_000

export class ApnsClient implements PushClient {
  private readonly provider: Provider

  constructor(
    private readonly key: ApnsKey,
    { host, caFile }: ApnsAddress,
  ) {
    const { keyId, teamId, privateKey, production } = key
    const [address, port] = host.split(':')
    this.provider = new Provider({
      token: { key: privateKey, keyId, teamId },
      production,
      ...(address && { address, port: Number(port ?? 443) }),
      ...(caFile && { ca: [caFile] }),
      // Tries are counted and timed by who sends: the library would repeat a push at once, and after its time.
      connectionRetryLimit: 0,
      requestTimeout: requestTimeoutMs,
    })
  }

  async send(push: Push, signal: AbortSignal): Promise<PushOutcome> {
    if (signal.aborted) return { kind: 'failed', reason: 'no time left' }
    const late = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    const failures = await Promise.race([
      this.provider
        .send(this.notification(push), pathSegment(push.token))
        .then(({ failed }) => failed)
        .catch((error: unknown): ResponseFailure[] => [{ device: push.token, error: error as Error }]),
      late,
    ])
    if (!failures) {
      this.dropConnection()
      return { kind: 'failed', reason: 'no answer in time' }
    }
    const [failure] = failures
    if (!failure) return { kind: 'sent' }
    if (failure.status === undefined) this.dropConnection()
    return outcomeOf(failure)
  }

  close(): void {
    void this.provider.shutdown()
  }

  private notification({ kind, fields, expiresAt }: Push): Notification {
    const notification = new Notification()
    notification.topic = kind === 'ring' ? `${this.key.bundleId}.voip` : this.key.bundleId
    notification.pushType = kind === 'ring' ? 'voip' : 'background'
    notification.priority = kind === 'ring' ? 10 : 5
    notification.expiry = Math.ceil(expiresAt.getTime() / 1_000)
    notification.rawPayload = apnsBody(kind, fields)
    return notification
  }

  /**
   * The next push makes a new connection: on one whose far end is gone without a word every push would time out. The
   * provider itself is kept, as Apple refuses provider tokens that change more often than every 20 minutes.
   */
  private dropConnection(): void {
    const { client } = this.provider as unknown as { client: { session?: ClientHttp2Session } }
    client.session?.destroy()
  }
}

/** The library puts a token into the path unescaped, and an app may have made it up: Apple is to judge it. */
function pathSegment(token: string): string {
  return encodeURIComponent(token).replaceAll('.', '%2E')
}

/** Apple, "Handling notification responses from APNs". */
const deadTokens = new Set(['BadDeviceToken', 'Unregistered', 'ExpiredToken'])

function outcomeOf({ status, response, error }: ResponseFailure): PushOutcome {
  const reason = response?.reason ?? (error ? reasonOf(error) : `status ${status}`)
  if (deadTokens.has(reason) || status === 410) return { kind: 'dead_token', reason }
  // The library has renewed a provider token that is too old.
  if (status === undefined || status === 429 || status >= 500 || reason === 'ExpiredProviderToken') {
    return { kind: 'failed', reason }
  }
  return { kind: 'refused', reason }
}
