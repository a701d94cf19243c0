/** Webhooks: what a customer can do with them. */
import { randomBytes } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import { differences, recordChange } from '../database/audit.js'
import { deleteInBatches } from '../database/batches.js'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { SecretBox } from '../database/secrets.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { purposes } from '../database/sealed-columns.js'
import type { GuardedClient } from '../http-client/guarded-client.js'
import { invalidField, notFound } from '../http/errors.js'
import { keptUrl } from '../http/masked-secrets.js'
import type { ListRequest, Page } from '../http/lists.js'
import { checkLimit } from '../workspaces/limits.js'
import { Webhook } from './webhook.entity.js'
import { type CreateWebhook, type UpdateWebhook, everyEvent } from './webhook.schema.js'

interface Options {
  database: Database
  secrets: SecretBox
  client: Pick<GuardedClient, 'brokenRule'>
  /** Webhooks of a workspace, at most. */
  limit: number
}

export class WebhookService {
  private readonly table: WorkspaceTable<Webhook>

  constructor(private readonly options: Options) {
    this.table = new WorkspaceTable(options.database, Webhook, { audited: 'webhook', hidden: ['secret'] })
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<Webhook>> {
    return this.table.list(workspace, { ...request, searched: ['title', 'url'] })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Webhook> {
    const webhook = await this.table.find(workspace, id)
    if (!webhook) throw notFound(`Webhook ${id} not found`)
    return webhook
  }

  /** Makes a webhook; its secret is returned this once. @throws 400 bad URL or events, 403 at the limit */
  async create(workspace: Owner, input: CreateWebhook): Promise<{ webhook: Webhook; secret: string }> {
    keptUrl('url', input.url, null)
    this.check(input)
    const now = new Date()
    const id = newId('wh')
    const { secret, sealed } = this.newSecret(id)
    const webhook: Webhook = {
      id,
      workspace_id: workspace.id,
      title: input.title ?? '',
      url: input.url,
      events: input.events,
      secret: sealed,
      is_active: input.is_active ?? true,
      disabled_reason: null,
      failing_since: null,
      created_at: now,
      updated_at: now,
    }
    const { database, limit } = this.options
    await database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: limit, what: 'webhooks' })
      await this.table.in(tx).insert(webhook)
    })
    return { webhook, secret }
  }

  /** Changes a webhook; switching it on forgets that it failed. @throws 400, 404 */
  async update(workspace: Owner, id: string, input: UpdateWebhook): Promise<Webhook> {
    const webhook = await this.get(workspace, id)
    const url = input.url === undefined ? undefined : keptUrl('url', input.url, webhook.url)
    this.check({ ...input, ...(url !== undefined && { url }) })
    const changes = {
      ...input,
      ...(url !== undefined && { url }),
      ...(input.is_active && { disabled_reason: null, failing_since: null }),
      updated_at: new Date(),
    }
    await this.table.update(workspace, id, changes)
    return { ...webhook, ...changes }
  }

  /** Gives a webhook another secret: what is sent from now on is signed with it. @throws 404 */
  async rotateSecret(workspace: Owner, id: string): Promise<{ webhook: Webhook; secret: string }> {
    const webhook = await this.get(workspace, id)
    const { secret, sealed } = this.newSecret(id)
    const changes = { secret: sealed, updated_at: new Date() }
    await this.table.update(workspace, id, changes)
    return { webhook: { ...webhook, ...changes }, secret }
  }

  /** Switches a webhook off on the platform's own account; once, though several deliveries may tell it to. */
  async disable(tx: EntityManager, webhook: Webhook, reason: string): Promise<void> {
    const changes = { is_active: false, disabled_reason: reason }
    const { affected } = await tx.update(
      Webhook,
      { id: webhook.id, is_active: true },
      { ...changes, updated_at: new Date() },
    )
    if (!affected) return
    await recordChange(tx, {
      workspace_id: webhook.workspace_id,
      action: 'webhook.disable',
      target: { type: 'webhook', id: webhook.id, name: webhook.title || webhook.url },
      changes: differences(webhook, { ...webhook, ...changes }, ['secret']),
    })
  }

  /** Deletes a webhook; nothing more is sent to it. @throws 404 */
  async delete(workspace: Owner, id: string): Promise<Webhook> {
    const webhook = await this.get(workspace, id)
    await this.table.delete(workspace, id)
    await this.forget(webhook)
    return webhook
  }

  /** Removes queue and log of a webhook that is gone. */
  async forget({ workspace_id, id }: Pick<Webhook, 'workspace_id' | 'id'>): Promise<void> {
    for (const table of ['webhook_queue', 'webhook_deliveries']) {
      const condition = 'workspace_id = ? AND webhook_id = ?'
      await deleteInBatches(this.options.database, table, condition, [workspace_id, id])
    }
  }

  /** Removes the webhooks of a workspace that is deleted: nothing more is sent to them. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  /** The secret in clear, for signing. */
  secretOf(webhook: Webhook): string {
    return this.options.secrets.open(webhook.secret, purposes.webhook(webhook.id))
  }

  private newSecret(id: string): { secret: string; sealed: string } {
    const secret = `whsec_${randomBytes(32).toString('base64url')}`
    return { secret, sealed: this.options.secrets.seal(secret, purposes.webhook(id)) }
  }

  private check({ url, events }: UpdateWebhook): void {
    const broken = url === undefined ? undefined : this.options.client.brokenRule(url)
    if (broken) throw invalidField('url', `url must ${broken}`)
    if (events?.includes(everyEvent) && events.length > 1) {
      throw invalidField('events', `events must hold ${everyEvent} alone, which stands for all events`)
    }
  }
}
