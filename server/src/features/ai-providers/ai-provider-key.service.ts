/** Keys of workspaces that pay an AI provider themselves. */
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { notFound } from '../../infrastructure/http/errors.js'
import { lockWorkspace } from '../../infrastructure/resources/workspace-lock.js'
import { AiProviderKey } from './ai-provider-key.entity.js'
import type { AiProvider } from './ai-provider.entity.js'
import type { AiProviderService } from './ai-provider.service.js'

/** A provider, and the workspace's own key there. */
export interface KeyedProvider {
  readonly provider: AiProvider
  readonly key: AiProviderKey | null
}

/** More than there are providers. */
const maxKeys = 1_000

export class AiProviderKeys {
  private readonly table: WorkspaceTable<AiProviderKey>

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly providers: AiProviderService,
  ) {
    this.table = new WorkspaceTable(database, AiProviderKey, {
      ...{ audited: 'ai_provider_key', hidden: ['api_key'] },
    })
  }

  /** All active providers, oldest first. */
  async list(workspace: Owner): Promise<KeyedProvider[]> {
    const [providers, keys] = await Promise.all([
      this.providers.active(),
      this.table.findAll(workspace, {}, maxKeys),
    ])
    const byProvider = new Map(keys.map((key) => [key.provider_id, key]))
    return providers.map((provider) => ({ provider, key: byProvider.get(provider.id) ?? null }))
  }

  /** The workspace's key in clear; null when it has none. @throws {Error} when it was sealed with another key */
  async find(workspace: Owner, providerId: string): Promise<string | null> {
    const key = await this.table.findBy(workspace, { provider_id: providerId })
    return key && this.secrets.open(key.api_key, purposes.aiProviderKey(key.id))
  }

  async has(workspace: Owner, providerId: string): Promise<boolean> {
    return (await this.table.findBy(workspace, { provider_id: providerId })) !== null
  }

  /** New calls use it. @throws 404 unknown provider, or one that is not active */
  async set(workspace: Owner, providerId: string, apiKey: string): Promise<KeyedProvider> {
    const provider = await this.offered(providerId)
    const now = new Date()
    return this.database.transaction(async (tx) => {
      // Locks, so that two requests at once do not both find no key.
      await lockWorkspace(tx, workspace)
      const keys = this.table.in(tx)
      const before = await keys.findBy(workspace, { provider_id: providerId })
      const id = before?.id ?? newId('aik')
      const changes = { api_key: this.secrets.seal(apiKey, purposes.aiProviderKey(id)), updated_at: now }
      if (before) await keys.update(workspace, id, changes)
      const key = before
        ? { ...before, ...changes }
        : await keys.insert({
            ...{ id, workspace_id: workspace.id, provider_id: providerId, created_at: now },
            ...changes,
          })
      return { provider, key }
    })
  }

  /** The platform's key is used again. @throws 404 unknown provider, or the workspace has no key there */
  async delete(workspace: Owner, providerId: string): Promise<KeyedProvider> {
    const provider = await this.offered(providerId)
    const key = await this.table.findBy(workspace, { provider_id: providerId })
    if (!key) throw notFound(`The workspace has no key of its own for ${provider.name}`)
    await this.table.delete(workspace, key.id)
    return { provider, key: null }
  }

  /** @throws 404 */
  private async offered(id: string): Promise<AiProvider> {
    const provider = (await this.providers.active()).find((one) => one.id === id)
    if (!provider) throw notFound(`AI provider ${id} not found`)
    return provider
  }
}
