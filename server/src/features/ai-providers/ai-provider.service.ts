/** The operator's AI providers. */
import type { EntityManager } from 'typeorm'
import { type Database, isDuplicate } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type FieldProblem, ValidationError, conflict } from '../../infrastructure/http/errors.js'
import { PlatformRows } from '../../infrastructure/resources/platform-rows.js'
import { AiProvider, type NamedOffer } from './ai-provider.entity.js'
import type { CreateAiProvider, UpdateAiProvider } from './ai-provider.schema.js'
import type { ProviderSettings } from './provider-settings.js'

/** No platform has more of them. */
const maxProviders = 1_000

export class AiProviderService extends PlatformRows<AiProvider> {
  constructor(
    database: Database,
    private readonly settings: ProviderSettings,
  ) {
    super(database, {
      ...{ table: AiProvider, noun: 'AI provider', audited: 'ai_provider' },
      ...{ search: ['id', 'name'], hidden: ['secrets'] },
    })
  }

  /** Active providers, oldest first: if two offer the same model, the older one serves it. */
  async active(tx?: EntityManager): Promise<AiProvider[]> {
    return this.table(tx).find({
      where: { is_active: true },
      order: { created_at: 'ASC', id: 'ASC' },
      take: maxProviders,
    })
  }

  /** @throws 400 naming `settings.…`, 409 when the name is taken */
  async create({ settings, ...input }: CreateAiProvider): Promise<AiProvider> {
    checkOffers(input)
    const id = newId('aip')
    const now = new Date()
    const columns = this.settings.columnsOf(id, input.kind, settings)
    const provider: AiProvider = { id, ...input, ...columns, created_at: now, updated_at: now }
    await this.writing(provider, async (tx) => this.insert(tx, provider))
    return provider
  }

  /** The next call gets what is changed. @throws 400, 404, 409 when the name is taken */
  async update(id: string, { settings, ...input }: UpdateAiProvider): Promise<AiProvider> {
    checkOffers(input)
    return this.writing(input, async (tx) => {
      const before = await this.lock(tx, id)
      const columns = settings && this.settings.columnsOf(id, before.kind, settings, before)
      return this.change(tx, before, { ...input, ...columns })
    })
  }

  /** Also deletes the keys that workspaces have there. @throws 404, 409 while it is active and voice agents use it */
  async delete(id: string): Promise<AiProvider> {
    return this.database.transaction(async (tx) => {
      const provider = await this.lock(tx, id)
      if (provider.is_active) await this.refuseInUse(tx, provider)
      await this.remove(tx, provider)
      return provider
    })
  }

  /** @throws 409 with the number of voice agents that have published a version whose model no other provider offers */
  private async refuseInUse(tx: EntityManager, { id, name, models }: AiProvider): Promise<void> {
    const others = (await this.active(tx)).filter((other) => other.id !== id)
    const offered = new Set(others.flatMap((other) => other.models.map((model) => model.id)))
    const lost = models.map((model) => model.id).filter((model) => !offered.has(model))
    if (lost.length === 0) return
    const [row] = await tx.query<{ count: string }[]>(
      `SELECT COUNT(*) count FROM voice_agents
       JOIN voice_agent_settings settings ON settings.workspace_id = voice_agents.workspace_id
         AND settings.voice_agent_id = voice_agents.id AND settings.version = voice_agents.published_version
       WHERE settings.model_id IN (?)`,
      [lost],
    )
    const count = Number(row?.count)
    if (count === 0) return
    const users = count === 1 ? '1 voice agent speaks' : `${count} voice agents speak`
    throw conflict(
      `${users} by models that only the AI provider ${name} offers: they fail without it. Make it inactive first if that is meant.`,
    )
  }

  /** @throws 409 when the name is taken */
  private async writing<T>({ name }: { name?: string }, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work)
    } catch (error) {
      throw isDuplicate(error) ? conflict(`There is an AI provider named ${name} already`) : error
    }
  }
}

/** @throws 400 naming each model or voice with an id that occurs twice */
function checkOffers({ models = [], voices = [] }: { models?: NamedOffer[]; voices?: NamedOffer[] }): void {
  const problems = [...repeated('models', models), ...repeated('voices', voices)]
  if (problems.length > 0) throw new ValidationError(problems)
}

function repeated(list: string, offers: readonly NamedOffer[]): FieldProblem[] {
  const seen = new Set<string>()
  return offers.flatMap(({ id }, index) => {
    const field = `${list}.${index}.id`
    if (seen.has(id)) return [{ field, messages: [`${field} is there twice`] }]
    seen.add(id)
    return []
  })
}
