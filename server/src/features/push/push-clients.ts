/** The clients of the push services, one a credential, for as long as they are used. */
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { ApnsClient } from './apns.js'
import { FcmClient } from './fcm.js'
import type { PushCredential } from './push-credential.entity.js'
import type { PushClient } from './push.js'

/** Addresses in place of Apple's and Google's; empty for those. */
export interface PushAddresses {
  apns_host: string
  apns_ca_file: string
  fcm_url: string
  fcm_token_url: string
}

interface Pooled {
  /** Changes with everything that the client was made of. */
  readonly version: string
  readonly client: PushClient
  usedAt: number
}

/** Each client holds a connection; of more, the least recently used one is closed. */
const maxClients = 200

/**
 * Longer than the 20 minutes for which Apple wants a provider token to be used: a client that is made again has a new
 * one.
 */
const idleMs = 30 * 60_000

const sweepMs = 60_000

export class PushClients {
  /** By the credential's id; in the order of their last use. */
  private readonly pool = new Map<string, Pooled>()
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly secrets: SecretBox,
    private readonly addresses: PushAddresses,
  ) {
    this.timer = setInterval(() => this.sweep(), sweepMs)
    this.timer.unref()
  }

  /** @param credential as the database has it now: a client with an older key is replaced */
  of(credential: PushCredential): PushClient {
    const version = versionOf(credential)
    const pooled = this.pool.get(credential.id)
    this.pool.delete(credential.id)
    if (pooled && pooled.version !== version) pooled.client.close()
    const current =
      pooled?.version === version ? pooled : { version, client: this.open(credential), usedAt: 0 }
    current.usedAt = Date.now()
    this.pool.set(credential.id, current)
    const [oldest] = this.pool.keys()
    if (this.pool.size > maxClients && oldest) this.drop(oldest)
    return current.client
  }

  close(): void {
    clearInterval(this.timer)
    for (const id of [...this.pool.keys()]) this.drop(id)
  }

  private drop(id: string): void {
    this.pool.get(id)?.client.close()
    this.pool.delete(id)
  }

  private sweep(): void {
    const before = Date.now() - idleMs
    for (const [id, { usedAt }] of [...this.pool]) if (usedAt < before) this.drop(id)
  }

  private open(credential: PushCredential): PushClient {
    const privateKey = this.secrets.open(credential.private_key, purposes.pushCredential(credential.id))
    const { apns_host, apns_ca_file, fcm_url, fcm_token_url } = this.addresses
    if (credential.platform === 'android') {
      const { android_project_id: projectId, android_client_email: clientEmail } = credential
      return new FcmClient(
        { projectId: projectId ?? '', clientEmail: clientEmail ?? '', privateKey },
        credential.android_package_name,
        { fcmUrl: fcm_url, tokenUrl: fcm_token_url },
      )
    }
    const { ios_key_id: keyId, ios_team_id: teamId, ios_bundle_id: bundleId } = credential
    const production = credential.ios_environment === 'production'
    return new ApnsClient(
      { keyId: keyId ?? '', teamId: teamId ?? '', bundleId: bundleId ?? '', privateKey, production },
      { host: apns_host, caFile: apns_ca_file },
    )
  }
}

function versionOf(credential: PushCredential): string {
  const { key_fingerprint, ios_key_id, ios_team_id, ios_bundle_id, ios_environment } = credential
  const { android_project_id, android_client_email, android_package_name } = credential
  return JSON.stringify([
    ...[key_fingerprint, ios_key_id, ios_team_id, ios_bundle_id, ios_environment],
    ...[android_project_id, android_client_email, android_package_name],
  ])
}
