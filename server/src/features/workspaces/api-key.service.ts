/** API keys: making, revoking and checking them. */
import { randomBytes } from 'node:crypto'
import { type EntityManager, In } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { anywhere } from '../../infrastructure/database/search.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { ClientSigner } from '../../infrastructure/tokens/client-tokens.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { sameSecret } from '../../infrastructure/http/access.js'
import { type KeyRole, type KeyScope, mayWrite } from '../../infrastructure/http/endpoint.js'
import { forbidden, notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { ApiKey } from './api-key.entity.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import { lockWorkspace } from '../../infrastructure/resources/workspace-lock.js'
import type { CreateApiKey } from './workspace.schema.js'

/** `last_used_at` is written at most this often. */
const usedEveryMs = 60_000

/** A key that was checked is trusted for this long; one that is revoked is forgotten at once. */
const cachedMs = 2_000
const maxCached = 10_000

interface CachedKey {
  key: ApiKey
  secret: string
  until: number
}

export class ApiKeyService {
  private readonly cache = new Map<string, CachedKey>()

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly inUse: InUse,
    private readonly limit: number,
  ) {}

  /** Makes a key; its secret is returned this once. @throws 403 at the limit */
  async create(workspace: Owner, input: CreateApiKey): Promise<{ key: ApiKey; secret: string }> {
    const sid = `sid-${randomBytes(12).toString('hex')}`
    const secret = randomBytes(32).toString('base64url')
    const key: ApiKey = {
      sid,
      workspace_id: workspace.id,
      title: input.title ?? `${input.role}, ${input.scope}`,
      scope: input.scope,
      role: input.role,
      signs_clients: input.signs_clients ?? mayWrite({ kind: 'api_key', sid, ...input }),
      secret: this.secrets.seal(secret, purposes.apiKey(sid)),
      last_used_at: null,
      created_at: new Date(),
    }
    await this.database.transaction(async (tx) => {
      await lockWorkspace(tx, workspace)
      if ((await tx.countBy(ApiKey, { workspace_id: workspace.id })) >= this.limit) {
        throw forbidden(`The workspace holds ${this.limit} API keys already`)
      }
      await tx.insert(ApiKey, key)
      await recordChange(tx, {
        ...changeOf('api_key.create', key),
        changes: {
          ...{ scope: { to: key.scope }, role: { to: key.role } },
          signs_clients: { to: key.signs_clients },
        },
      })
    })
    return { key, secret }
  }

  /** Those of the keys that are there. */
  async existing(sids: readonly string[]): Promise<string[]> {
    const keys = await this.table.find({ select: { sid: true }, where: { sid: In(sids as string[]) } })
    return keys.map(({ sid }) => sid)
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<ApiKey>> {
    const query = this.table.createQueryBuilder('row').where({ workspace_id: workspace.id })
    if (request.search) query.andWhere(...anywhere(['title', 'sid'], request.search))
    const order = request.sort_order === 'asc' ? 'ASC' : 'DESC'
    query.orderBy('row.created_at', order).addOrderBy('row.sid', order)
    query.offset((request.page - 1) * request.limit).limit(request.limit)
    const [rows, total] = await query.getManyAndCount()
    return { rows, total }
  }

  /** Revokes a key: it is refused from the next request on. @throws 404 unknown, 409 in use */
  async revoke(workspace: Owner, sid: string): Promise<ApiKey> {
    const key = await this.table.findOneBy({ workspace_id: workspace.id, sid })
    if (!key) throw notFound(`API key ${sid} not found`)
    await this.inUse.delete('api_key', workspace, sid, `The API key ${key.title}`, async () =>
      this.database.transaction(async (tx) => {
        await tx.delete(ApiKey, { workspace_id: workspace.id, sid })
        await recordChange(tx, changeOf('api_key.delete', key))
        rowsChanged(tx, 'api_keys', workspace.id)
      }),
    )
    return key
  }

  /** Revokes all keys of a workspace that is being deleted: another may take its id at once. */
  async revokeAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.delete(ApiKey, { workspace_id: workspace.id })
    rowsChanged(tx, 'api_keys', workspace.id)
  }

  /** Drops what is kept in memory of the keys of a workspace. */
  forget(workspace: Owner): void {
    for (const [sid, { key }] of this.cache) if (key.workspace_id === workspace.id) this.cache.delete(sid)
  }

  /** The rights of a key whose secret is right, or null. */
  async check(
    workspaceId: string,
    sid: string,
    secret: string,
  ): Promise<{ sid: string; scope: KeyScope; role: KeyRole } | null> {
    const found = await this.load(sid)
    if (!found || found.key.workspace_id !== workspaceId || !sameSecret(secret, found.secret)) return null
    this.noteUse(found.key)
    return { sid, scope: found.key.scope, role: found.key.role }
  }

  /** The secret of a workspace's key, and whether it signs the JWTs of clients; null when there is no such key. */
  async signerOf(workspaceId: string, sid: string): Promise<ClientSigner | null> {
    const found = await this.load(sid)
    if (found?.key.workspace_id !== workspaceId) return null
    return { secret: found.secret, signsClients: found.key.signs_clients }
  }

  private async load(sid: string): Promise<CachedKey | null> {
    const cached = this.cache.get(sid)
    if (cached && cached.until > Date.now()) return cached
    const key = await this.table.findOneBy({ sid })
    if (!key) return null
    const entry = {
      key,
      secret: this.secrets.open(key.secret, purposes.apiKey(sid)),
      until: Date.now() + cachedMs,
    }
    if (this.cache.size >= maxCached) this.cache.clear()
    this.cache.set(sid, entry)
    return entry
  }

  /** Not awaited by the request: a lost `last_used_at` does no harm. */
  private noteUse(key: ApiKey): void {
    const now = new Date()
    if (key.last_used_at && now.getTime() - key.last_used_at.getTime() < usedEveryMs) return
    key.last_used_at = now
    this.table.update({ sid: key.sid }, { last_used_at: now }).catch(() => undefined)
  }

  private get table() {
    return this.database.platformTable(ApiKey)
  }
}

function changeOf(action: string, key: ApiKey) {
  const target = { type: 'api_key', id: key.sid, name: key.title }
  return { workspace_id: key.workspace_id, action, target }
}
