/** The feature of callbacks, wired. */
import type { Logger } from 'pino'
import type { CallStore } from '../calls/model/call-store.js'
import type { ScriptStep } from '../calls/model/call.schema.js'
import type { Call } from '../calls/model/call.entity.js'
import type { ContactService } from '../contacts/contact.service.js'
import type { Database } from '../../infrastructure/database/database.js'
import { OutboxWorker } from '../../infrastructure/database/outbox.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { CallbackClient } from '../../infrastructure/callbacks/callback-client.js'
import { ContactLookup } from './contact-lookup.js'
import { IvrCallbacks, ivrCallbackJob, ivrLeaseMs, ivrRetryMs } from './ivr-callbacks.js'
import { JsonCallAction } from './json-call-action.js'
import { SigningSecretService } from './signing-secret.service.js'

interface Options {
  database: Database
  secrets: SecretBox
  client: GuardedClient
  contacts: ContactService
  store: CallStore
  /** Puts actions in the place of all that a call has left. */
  replaceActions(call: Call, actions: ScriptStep[]): Promise<void>
  /** Whether this server drives the calls of its cell. */
  drivesCalls(): boolean
  cell: string
  log: Logger
}

/** Retries under way at once; the first attempts of running calls are not among them. */
const retriedAtOnce = 50
const retryTurns = { ofOwner: 20, share: 1 / 4 }

export class Callbacks {
  readonly signingSecrets: SigningSecretService
  readonly contactLookup: ContactLookup
  readonly jsonCallAction: JsonCallAction
  readonly ivr: IvrCallbacks
  readonly worker: OutboxWorker

  constructor({ client: guarded, contacts, ...options }: Options) {
    const { database, secrets, log } = options
    const signingSecrets = new SigningSecretService(database, secrets)
    const client = new CallbackClient({
      ...{ client: guarded, log },
      secretOf: async (workspace) => signingSecrets.secretOf(workspace),
    })
    const ivr = new IvrCallbacks({ ...options, client, worker: () => this.worker })
    this.signingSecrets = signingSecrets
    this.contactLookup = new ContactLookup({ client, contacts })
    this.jsonCallAction = new JsonCallAction(client)
    this.ivr = ivr
    this.worker = new OutboxWorker(
      database,
      ivrCallbackJob,
      async (job) => ivr.post(job),
      {
        ...{ concurrency: retriedAtOnce, turns: retryTurns, leaseMs: ivrLeaseMs, retryMs: ivrRetryMs },
        ...{ cell: options.cell, isForCalls: true },
        // What is answered changes calls, which this server must drive.
        mayClaim: () => options.drivesCalls(),
      },
      log,
    )
  }
}
