/** Google's push service, with a service account (Firebase, "FCM HTTP v1 API"): data messages of high priority. */
import { randomUUID } from 'node:crypto'
import { type App, deleteApp, initializeApp } from 'firebase-admin/app'
import { type Message, getMessaging } from 'firebase-admin/messaging'
import { GoogleToken, KeyRefusedError, type ServiceAccountKey } from './google-token.js'
import { fcmData } from './payloads.js'
import { type Push, type PushClient, type PushOutcome, reasonOf } from './push.js'
import { SingleTryAgent } from './single-try-agent.js'

/** Addresses in place of Google's; empty for those. */
export interface GoogleAddresses {
  /** An origin: `http://127.0.0.1:8090`. */
  fcmUrl: string
  tokenUrl: string
}

/** What the library makes of 401, and of an APNs key of the project's that Apple refuses. */
const accessRefused = 'messaging/third-party-auth-error'

export class FcmClient implements PushClient {
  private readonly agent: SingleTryAgent
  private readonly token: GoogleToken
  private app: App

  constructor(
    private readonly account: ServiceAccountKey,
    /** Of the Android app: FCM refuses tokens of any other; null where the customer names none. */
    private readonly packageName: string | null,
    { fcmUrl, tokenUrl }: GoogleAddresses,
  ) {
    this.agent = new SingleTryAgent(fcmUrl ? new URL(fcmUrl) : null)
    this.token = new GoogleToken(account, tokenUrl)
    this.app = this.newApp()
  }

  async send(push: Push, signal: AbortSignal): Promise<PushOutcome> {
    const late = new Promise<PushOutcome>((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'no answer in time' }), {
        once: true,
      })
    })
    return Promise.race([this.sendRenewing(push, signal), late])
  }

  close(): void {
    void deleteApp(this.app)
    this.agent.destroy()
  }

  /** Google may revoke an access token early: a cached one is renewed, once. */
  private async sendRenewing(push: Push, signal: AbortSignal): Promise<PushOutcome> {
    const { app } = this
    const startedAt = Date.now()
    const error = await this.errorOf(push, signal)
    if (codeOf(error) !== accessRefused || this.token.givenAt >= startedAt) return this.outcomeOf(error)
    if (this.app === app) {
      void deleteApp(app)
      this.app = this.newApp()
    }
    return this.outcomeOf(await this.errorOf(push, signal))
  }

  private async errorOf(push: Push, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return new Error('no time left')
    const send = async () => getMessaging(this.app).send(messageOf(push, this.packageName))
    return this.agent.sendOnce(signal, send).then(
      () => null,
      (error: unknown) => error,
    )
  }

  private outcomeOf(error: unknown): PushOutcome {
    if (error === null) return { kind: 'sent' }
    const code = codeOf(error)
    const message = reasonOf(error)
    if (code === 'app/invalid-credential') {
      const { lastError } = this.token
      const kind = lastError instanceof KeyRefusedError ? 'refused' : 'failed'
      return { kind, reason: reasonOf(lastError ?? message) }
    }
    const reason = `${code.replace('messaging/', '')}: ${message}`
    if (isDeadToken(code, message)) return { kind: 'dead_token', reason }
    return { kind: refusals.has(code) ? 'refused' : 'failed', reason }
  }

  private newApp(): App {
    const { projectId } = this.account
    // The library keeps its apps by name: each has one of its own.
    return initializeApp({ credential: this.token, projectId, httpAgent: this.agent }, randomUUID())
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? ''
}

function messageOf({ token, platform, kind, fields, expiresAt }: Push, packageName: string | null): Message {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1_000))
  return {
    token,
    data: fcmData(fields),
    android: {
      ...{ priority: 'high', ttl: seconds * 1_000 },
      ...(packageName !== null && platform === 'android' && { restrictedPackageName: packageName }),
    },
    // FCM hands it to APNs, which wakes the app only for a notification of these headers.
    ...(platform === 'ios' &&
      kind === 'end' && {
        apns: {
          headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
          payload: { aps: { contentAvailable: true } },
        },
      }),
  }
}

/**
 * Firebase, "Manage FCM registration tokens": UNREGISTERED, and INVALID_ARGUMENT if its message is about the token. A message
 * about the package is about the credential, whose `android_package_name` is not that of the app.
 */
function isDeadToken(code: string, message: string): boolean {
  return (
    code === 'messaging/registration-token-not-registered' ||
    code === 'messaging/invalid-registration-token' ||
    (code === 'messaging/invalid-argument' &&
      /registration token/i.test(message) &&
      !/package/i.test(message))
  )
}

/** What no other try changes: the key, the project, or the message is wrong. */
const refusals = new Set([
  'messaging/invalid-argument',
  'messaging/mismatched-credential',
  accessRefused,
  'messaging/authentication-error',
  'messaging/payload-size-limit-exceeded',
  'messaging/invalid-payload',
])
