/** Sends pushes to devices with the credential that serves each, and acts on what the services answer. */
import type { Logger } from 'pino'
import { Gathered } from './gathered.js'
import type { PushClients } from './push-clients.js'
import type { PushCredential } from './push-credential.entity.js'
import type { PushCredentialService } from './push-credential.service.js'
import { type Push, type PushOutcome, type PushServiceName, reasonOf } from './push.js'
import type { Tries } from './tries.js'
import { secondsSince, topics } from '../../infrastructure/observability/telemetry.js'

/** A registered device, as far as pushes go. */
export interface PushDevice {
  /** `dev_…` */
  id: string
  workspace_id: string
  device_id: string
  platform: 'ios' | 'android'
  /** The API key whose credential serves the app; null: the workspace's newest of the platform. */
  api_key_sid: string | null
  voip_token: string | null
  notification_token: string | null
  notification_provider: PushServiceName | null
  /** What lets its app ring: the session of the log-in on it, or the API key of a client; null when not known. */
  credential: string | null
}

type Content = Pick<Push, 'fields' | 'expiresAt'>

interface Parts {
  credentials: PushCredentialService
  clients: PushClients
  tries: Tries
  /** Takes a token from the device that it was registered for. */
  forget: (device: PushDevice, token: string) => Promise<void>
  log: Logger
}

/** Of apps that the API key has no credential for, and of agents of a workspace without any. */
const noCredential: PushOutcome = { kind: 'refused', reason: 'no push credential' }

export class PushSender {
  private readonly underWay = new Set<Promise<unknown>>()
  private readonly credentials: Gathered<string, readonly PushCredential[]>

  constructor(private readonly parts: Parts) {
    this.credentials = new Gathered(
      async (workspaces) => parts.credentials.ofWorkspaces(workspaces),
      (workspace) => workspace,
      [],
    )
  }

  /** Rings a device until the deadline and no longer. Never throws; null: it was not tried. */
  async ring(
    device: PushDevice,
    content: Content,
    deadline: number,
    signal: AbortSignal,
  ): Promise<PushOutcome | null> {
    if (device.voip_token === null) return null
    const target = { service: serviceOf(device), token: device.voip_token }
    return this.deliver(device, target, { kind: 'ring', ...content }, deadline, signal)
  }

  /**
   * Sends the notice that a call has stopped ringing to a device's notification token. An Android app without one has a token
   * that takes this too; a VoIP token of iOS does not, as each of its pushes must become a call.
   */
  async end(device: PushDevice, content: Content, deadline: number): Promise<void> {
    const target = endTarget(device)
    const never = new AbortController().signal
    if (target) await this.deliver(device, target, { kind: 'end', ...content }, deadline, never)
  }

  /** Keeps track of work under way that has no other owner. */
  track(work: Promise<unknown>): void {
    const done: Promise<unknown> = work
      .catch((error: unknown) => this.parts.log.warn({ event: 'push.failed', err: error }, 'push failed'))
      .finally(() => this.underWay.delete(done))
    this.underWay.add(done)
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay)
  }

  private async deliver(
    device: PushDevice,
    target: { service: PushServiceName; token: string },
    content: Content & Pick<Push, 'kind'>,
    deadline: number,
    signal: AbortSignal,
  ): Promise<PushOutcome | null> {
    const push: Push = { ...content, token: target.token, platform: device.platform }
    return this.parts.tries.until(deadline, signal, async (ofTry) => {
      try {
        return await this.try(device, target.service, push, ofTry)
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error) }
      }
    })
  }

  /** The credential is read for each try, as it may have been replaced since the last. */
  private async try(
    device: PushDevice,
    service: PushServiceName,
    push: Push,
    signal: AbortSignal,
  ): Promise<PushOutcome> {
    const { clients, credentials, forget, log } = this.parts
    const found = await this.credentials.get(device.workspace_id)
    const credential = credentialFor(found, device, service)
    if (!credential) return noCredential
    const begun = performance.now()
    const outcome = await clients.of(credential).send(push, signal)
    topics.push.publish({ service, outcome: outcome.kind, seconds: secondsSince(begun) })
    log.debug({ event: 'push.tried', device: device.id, push: push.kind, outcome }, 'push tried')
    if (outcome.kind === 'dead_token') await forget(device, push.token)
    if (outcome.kind === 'sent') await credentials.noteSuccess(credential)
    if (outcome.kind === 'refused') await credentials.noteRefusal(credential, outcome.reason)
    return outcome
  }
}

function serviceOf({ platform }: PushDevice): PushServiceName {
  return platform === 'ios' ? 'apns' : 'fcm'
}

function endTarget(device: PushDevice): { service: PushServiceName; token: string } | null {
  const { notification_token, notification_provider, voip_token, platform } = device
  if (notification_token !== null) {
    return { service: notification_provider ?? serviceOf(device), token: notification_token }
  }
  return platform === 'android' && voip_token !== null ? { service: 'fcm', token: voip_token } : null
}

/** Contract, Authentication 6; credentials are given newest first. */
function credentialFor(
  credentials: readonly PushCredential[],
  { api_key_sid }: PushDevice,
  service: PushServiceName,
): PushCredential | undefined {
  const platform = service === 'apns' ? 'ios' : 'android'
  return credentials.find(
    (one) => one.platform === platform && (api_key_sid === null || one.api_key_sid === api_key_sid),
  )
}
