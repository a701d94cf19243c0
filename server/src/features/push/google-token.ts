/** Access tokens of a Google service account (RFC 7523; Google, "Using OAuth 2.0 for server to server applications"). */
import type { Credential, GoogleOAuthAccessToken } from 'firebase-admin/app'
import jwt from 'jsonwebtoken'
import { reasonOf } from './push.js'

/** What a credential for Android holds. */
export interface ServiceAccountKey {
  projectId: string
  clientEmail: string
  /** PKCS#8 in PEM. */
  privateKey: string
}

const googleTokenUrl = 'https://oauth2.googleapis.com/token'

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const lifetimeSeconds = 3_600
const timeoutMs = 5_000

/** Google refused the key, as opposed to not having been reached. */
export class KeyRefusedError extends Error {}

/** The library asks it for a token when it has none or its own is about to end. */
export class GoogleToken implements Credential {
  /** Why there was no token last time: the library only gives a message. */
  lastError: Error | undefined
  /** When the last token was given, in milliseconds since 1970. */
  givenAt = 0

  constructor(
    private readonly account: ServiceAccountKey,
    private readonly url: string,
  ) {}

  /** @throws {KeyRefusedError}, or whatever kept Google from being reached */
  async getAccessToken(): Promise<GoogleOAuthAccessToken> {
    try {
      const token = await this.fetch()
      this.lastError = undefined
      this.givenAt = Date.now()
      return token
    } catch (error) {
      this.lastError = error as Error
      throw error
    }
  }

  private async fetch(): Promise<GoogleOAuthAccessToken> {
    const answer = await fetch(this.url || googleTokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: this.assertion(),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    // Google's 400s and 401s speak of the key: invalid_grant, invalid_client, unauthorized_client.
    if (answer.status === 400 || answer.status === 401) {
      throw new KeyRefusedError(`Google gives no access token: ${reasonOf(errorOf(text))}`)
    }
    if (!answer.ok) throw new Error(`Google’s token endpoint answered ${answer.status}`)
    const { access_token, expires_in } = JSON.parse(text) as Partial<GoogleOAuthAccessToken>
    if (!access_token || !expires_in) throw new Error('Google’s token endpoint answered without a token')
    return { access_token, expires_in }
  }

  private assertion(): string {
    const { clientEmail, privateKey } = this.account
    return jwt.sign({ scope }, privateKey, {
      algorithm: 'RS256',
      issuer: clientEmail,
      // The audience is Google's, wherever the request is sent to.
      audience: googleTokenUrl,
      expiresIn: lifetimeSeconds,
    })
  }
}

/** `invalid_grant: Invalid JWT Signature.` of `{"error", "error_description"}`. */
function errorOf(text: string): string {
  try {
    const { error, error_description } = JSON.parse(text) as { error?: string; error_description?: string }
    return [error, error_description].filter(Boolean).join(': ') || text
  } catch {
    return text
  }
}
