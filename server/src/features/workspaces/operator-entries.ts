/**
 * The operator's entries into workspaces: for an hour the operator manages one from its console, as its administrators
 * do, without a credential of it. A link, good for one use within two minutes, brings the browser to the workspace's host.
 */
import { IsNull, MoreThan } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { conflict, invalidField } from '../../infrastructure/http/errors.js'
import type { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { type Claims, TokenError, type Tokens, lifetimes } from '../../infrastructure/tokens/tokens.js'
import { OperatorEntry } from './operator-entry.entity.js'
import type { Workspace } from './workspace.entity.js'

interface EntryClaims extends Claims {
  entry_id: string
}

type EntryAudience = 'entry-link' | 'operator-entry'

export interface EntryLink {
  link: string
  /** When the link ends. */
  expires_at: Date
}

const notValid = () =>
  invalidField('token', 'token must be one of a link of the last two minutes, not used yet')

export class OperatorEntries {
  constructor(
    private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly urls: PublicUrls,
  ) {}

  /** Makes a link to a workspace's console; audited by the workspace and by the platform. @throws 409 while it is suspended */
  async make(workspace: Pick<Workspace, 'id' | 'title' | 'is_suspended'>): Promise<EntryLink> {
    if (workspace.is_suspended) throw conflict('The workspace is suspended: resume it first')
    const now = Date.now()
    const entry: OperatorEntry = {
      ...{ id: newId('ent'), workspace_id: workspace.id, created_at: new Date(now), entered_at: null },
      expires_at: new Date(now + lifetimes['entry-link'] * 1000),
    }
    await this.database.transaction(async (tx) => {
      await tx.insert(OperatorEntry, entry)
      const target = { type: 'workspace', id: workspace.id, name: workspace.title }
      for (const workspace_id of [workspace.id, null])
        await recordChange(tx, { workspace_id, action: 'workspace.enter', target })
    })
    const { token, expiresAt } = this.sign('entry-link', entry)
    return { link: this.urls.page(workspace.id, `/enter#${token}`), expires_at: new Date(expiresAt) }
  }

  /**
   * Exchanges the token of a link, once, for one that requests are made with.
   * @throws 400 when it does not hold, or was used
   */
  async enter(workspace: Owner, token: string): Promise<{ token: string; expires_at: number }> {
    const entry_id = this.read('entry-link', workspace, token)
    if (entry_id === null) throw notValid()
    const now = Date.now()
    const unused = { id: entry_id, workspace_id: workspace.id, entered_at: IsNull() }
    const { affected } = await this.table.update(
      { ...unused, expires_at: MoreThan(new Date(now)) },
      { entered_at: new Date(now), expires_at: new Date(now + lifetimes['operator-entry'] * 1000) },
    )
    if (affected !== 1) throw notValid()
    const signed = this.sign('operator-entry', { id: entry_id, workspace_id: workspace.id })
    return { token: signed.token, expires_at: signed.expiresAt }
  }

  /** The id of the entry whose token it is; null when it does not hold, is over, or of another workspace. */
  async check(workspace: Owner, token: string): Promise<string | null> {
    const id = this.read('operator-entry', workspace, token)
    if (id === null) return null
    const where = { id, workspace_id: workspace.id, expires_at: MoreThan(new Date()) }
    return (await this.table.existsBy(where)) ? id : null
  }

  /** Ends the entry of a token; nothing happens when it has ended. */
  async leave(workspace: Owner, token: string): Promise<void> {
    const id = this.read('operator-entry', workspace, token)
    if (id !== null) await this.table.delete({ id, workspace_id: workspace.id })
  }

  /** Ends all entries into a workspace. @returns how many there were */
  async revoke({ id, title }: Pick<Workspace, 'id' | 'title'>): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { affected } = await tx.delete(OperatorEntry, { workspace_id: id })
      if (affected) {
        const target = { type: 'workspace', id, name: title }
        for (const workspace_id of [id, null])
          await recordChange(tx, { workspace_id, action: 'workspace.leave', target })
      }
      return affected ?? 0
    })
  }

  /** Removes entries whose time is over. */
  async sweep(): Promise<void> {
    await deleteInBatches(this.database, 'operator_entries', 'expires_at < ?', [new Date()])
  }

  private get table() {
    return this.database.platformTable(OperatorEntry)
  }

  private sign(audience: EntryAudience, { id, workspace_id }: Pick<OperatorEntry, 'id' | 'workspace_id'>) {
    const claims: EntryClaims = { sub: 'operator', workspace_id, entry_id: id }
    return this.tokens.sign(audience, claims)
  }

  private read(audience: EntryAudience, workspace: Owner, token: string): string | null {
    try {
      const { workspace_id, entry_id } = this.tokens.read(audience, token) as unknown as EntryClaims
      return workspace_id === workspace.id ? entry_id : null
    } catch (error) {
      if (error instanceof TokenError) return null
      throw error
    }
  }
}
