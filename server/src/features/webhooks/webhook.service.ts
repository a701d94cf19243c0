/** Webhooks: what a customer can do with them. */
import type { EntityManager } from 'typeorm'
import { differences, recordChange } from '../../infrastructure/database/audit.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import { openedHeaders, sealedHeaders } from '../../infrastructure/database/sealed-headers.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { checkHeaders, withCredentials, withoutCredentials } from '../../infrastructure/http/header-fields.js'
import { storedHeaders, storedUrl } from '../../infrastructure/http/masked-secrets.js'
import {
  type Afterwards,
  type ResourceRow,
  ResourceService,
} from '../../infrastructure/resources/resource-service.js'
import { Webhook } from './webhook.entity.js'
import { type Signatures, isSecret, newSecret, replacedSecret, signed } from './webhook-secrets.js'
import { everyEvent } from './webhook-events.js'
import { hidden, webhookResource } from './webhook.resource.js'
import type { CreateWebhook, RotateSecret, UpdateWebhook } from './webhook.schema.js'

interface Options {
  database: Database
  secrets: SecretBox
  client: Pick<GuardedClient, 'brokenRule'>
  /** Webhooks of a workspace, at most. */
  limit: number
}

/** What the API calls them. */
const places = { url: 'url', headers: 'headers' } as const

export class WebhookService extends ResourceService<Webhook, CreateWebhook, UpdateWebhook> {
  constructor(private readonly options: Options) {
    super(webhookResource, { database: options.database, max: options.limit })
  }

  /** Makes a webhook; its secret is returned this once. @throws 400 bad URL or events, 403 at the limit */
  async make(workspace: Owner, input: CreateWebhook): Promise<{ webhook: Webhook; secret: string }> {
    const secret = chosenSecret(input.secret)
    return { webhook: await this.create(workspace, { ...input, secret }), secret }
  }

  protected rowOf(base: ResourceRow, input: CreateWebhook): Webhook {
    const { url, headers } = withCredentials(
      places,
      storedUrl('url', input.url, null),
      storedHeaders('headers', input.headers ?? {}, {}),
    )
    this.check({ ...input, url, headers })
    return {
      ...base,
      title: input.title ?? '',
      url,
      headers: this.sealed(base.id, headers),
      events: input.events,
      secret: this.options.secrets.seal(chosenSecret(input.secret), purposes.webhook(base.id)),
      ...{ previous_secret: null, previous_secret_until: null },
      is_active: input.is_active ?? true,
      disabled_reason: null,
      failing_since: null,
    }
  }

  /** Switching it on forgets that it failed. @throws 400 */
  protected changesOf(input: UpdateWebhook, webhook: Webhook): Partial<Webhook> {
    const { headers: _, ...plain } = input
    const { url, headers } = this.addressOf(webhook, input)
    this.check({ ...input, ...(url !== undefined && { url }), ...(headers && { headers }) })
    return {
      ...plain,
      ...(url !== undefined && { url }),
      ...(headers && { headers: this.sealed(webhook.id, headers) }),
      ...(input.is_active && { disabled_reason: null, failing_since: null }),
    }
  }

  /** Gives a webhook another secret; the one before signs too for a time. @throws 400, 404 */
  async rotateSecret(
    workspace: Owner,
    id: string,
    { secret: chosen, previous_valid_for: seconds }: RotateSecret,
  ): Promise<{ webhook: Webhook; secret: string }> {
    const webhook = await this.get(workspace, id)
    const [secret, now] = [chosenSecret(chosen), new Date()]
    const replaced = replacedSecret(this.options.secrets, webhook, {
      secret,
      overlapMs: seconds * 1_000,
      now,
    })
    const changes = { ...replaced, updated_at: now }
    await this.table.update(workspace, id, changes)
    return { webhook: { ...webhook, ...changes }, secret }
  }

  /** Disables a webhook on the platform's own account; once, though several deliveries may ask for it. */
  async disable(tx: EntityManager, webhook: Webhook, reason: string): Promise<void> {
    const changes = { is_active: false, disabled_reason: reason }
    const { affected } = await tx.update(
      Webhook,
      { id: webhook.id, is_active: true },
      { ...changes, updated_at: new Date() },
    )
    if (!affected) return
    rowsChanged(tx, 'webhooks', webhook.workspace_id)
    await recordChange(tx, {
      workspace_id: webhook.workspace_id,
      action: 'webhook.disable',
      target: { type: 'webhook', id: webhook.id, name: webhook.title || webhook.url },
      changes: differences(webhook, { ...webhook, ...changes }, hidden),
    })
  }

  protected override async deleting(_: EntityManager, webhook: Webhook): Promise<Afterwards> {
    return async () => this.forget(webhook)
  }

  /** Removes queue and log of a webhook that is gone. */
  async forget({ workspace_id, id }: Pick<Webhook, 'workspace_id' | 'id'>): Promise<void> {
    for (const table of ['webhook_queue', 'webhook_deliveries']) {
      const condition = 'workspace_id = ? AND webhook_id = ?'
      await deleteInBatches(this.options.database, table, condition, [workspace_id, id])
    }
  }

  /** Signs a delivery. */
  signed(webhook: Webhook, sent: { id: string; body: string; at: Date }): Signatures {
    return signed(this.options.secrets, webhook, sent)
  }

  /** The webhook's own headers in clear. */
  headersOf({ id, headers }: Pick<Webhook, 'id' | 'headers'>): Record<string, string> {
    return openedHeaders(this.options.secrets, headers, purposes.webhookHeaders(id))
  }

  private sealed(id: string, headers: Record<string, string>): string | null {
    return sealedHeaders(this.options.secrets, headers, purposes.webhookHeaders(id))
  }

  /** URL and headers as a change makes them; undefined what it leaves. Credentials in a URL replace those that were there. */
  private addressOf(webhook: Webhook, input: UpdateWebhook) {
    const stored = this.headersOf(webhook)
    const headers = input.headers && storedHeaders('headers', input.headers, stored)
    if (input.url === undefined) return { headers }
    const url = storedUrl('url', input.url, webhook.url)
    const moved = withCredentials(places, url, headers ?? withoutCredentials(stored))
    return moved.url === url ? { url, headers } : moved
  }

  private check({ url, events, headers }: UpdateWebhook): void {
    if (headers) checkHeaders('headers', headers)
    const broken = url === undefined ? undefined : this.options.client.brokenRule(url)
    if (broken) throw invalidField('url', `url must ${broken}`)
    if (events?.includes(everyEvent) && events.length > 1) {
      throw invalidField('events', `events must hold ${everyEvent} alone, which stands for all events`)
    }
  }
}

/** @throws 400 for a key that is too short or too long */
function chosenSecret(secret: string | undefined): string {
  if (secret !== undefined && !isSecret(secret))
    throw invalidField('secret', 'secret must be whsec_ and 24 to 64 bytes in base64')
  return secret ?? newSecret()
}
