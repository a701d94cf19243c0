/** Rings people's devices by push. A call is neither held up nor failed by it. */
import type { Logger } from 'pino'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { Gathered } from './gathered.js'
import { type PushAddresses, PushClients } from './push-clients.js'
import { endFields } from './payloads.js'
import type { PushCredentialService } from './push-credential.service.js'
import { type PushDevice, PushSender } from './push-sender.js'
import type { PushCredential } from './push-credential.entity.js'
import type { PushOutcome } from './push.js'
import { PushedRing, type IncomingCallRequest } from './pushed-ring.js'
import { Tries } from './tries.js'

/** A person with devices: an agent (`sub` is its id) or a user of a customer's app (`sub` of their JWT). */
export interface PushedPerson {
  readonly kind: 'agent' | 'client'
  readonly sub: string
  readonly workspace_id: string
}

/** Who knows the registered devices. */
export interface PushDevices {
  /** Devices with a VoIP token, by {@link personName}. */
  ringable(people: readonly PushedPerson[]): Promise<ReadonlyMap<string, PushDevice[]>>
  /** Takes a token from the device that it was registered for. */
  forget(device: PushDevice, token: string): Promise<void>
}

interface Options {
  secrets: SecretBox
  credentials: PushCredentialService
  devices: PushDevices
  addresses: PushAddresses
  log: Logger
}

/** How long a push service may take to judge a credential. */
const testMs = 8_000

/** Tokens that no device has; the services look at the credential first, and then refuse the token. */
const noDevice = { ios: '00'.repeat(16), android: 'none' } as const

/** How long a server that stops waits for pushes under way. */
const drainMs = 5_000

export class PushService {
  private readonly clients: PushClients
  private readonly sender: PushSender
  private readonly devices: Gathered<PushedPerson, PushDevice[]>
  private readonly credentials: PushCredentialService

  constructor({ secrets, credentials, devices, addresses, log }: Options) {
    this.credentials = credentials
    this.clients = new PushClients(secrets, addresses)
    this.sender = new PushSender({
      ...{ credentials, log, clients: this.clients, tries: new Tries() },
      forget: async (device, token) => devices.forget(device, token),
    })
    this.devices = new Gathered(async (people) => devices.ringable(people), personName, [])
  }

  /** Rings every device of a person that has a VoIP token. Returns at once and never throws. */
  ring(person: PushedPerson, request: IncomingCallRequest): PushedRing {
    return new PushedRing(this.sender, this.devices.get(person), request)
  }

  /** Asks the push service whether it takes a credential, by a push that no device gets. Never throws. */
  async test(credential: PushCredential): Promise<PushOutcome> {
    const { id, workspace_id, platform } = credential
    const fields = endFields({ workspace_id, call_id: id }, 'call.canceled', 'test', new Date())
    const expiresAt = new Date(Date.now() + testMs)
    const push = { token: noDevice[platform], platform, kind: 'end' as const, fields, expiresAt }
    const outcome = await this.clients.of(credential).send(push, AbortSignal.timeout(testMs))
    if (outcome.kind === 'refused') await this.credentials.noteRefusal(credential, outcome.reason)
    return outcome
  }

  /** Waits for the pushes under way. */
  async settled(): Promise<void> {
    await this.sender.settled()
  }

  /** Gives the pushes under way a moment, and ends the connections. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)))
    await Promise.race([this.settled(), late])
    clearTimeout(timer)
    this.clients.close()
  }
}

export function personName({ workspace_id, kind, sub }: PushedPerson): string {
  return `${workspace_id} ${kind} ${sub}`
}
