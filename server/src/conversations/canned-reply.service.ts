/** Texts that agents send often. */
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { notFound } from '../http/errors.js'
import type { Page } from '../http/lists.js'
import { checkLimit } from '../workspaces/limits.js'
import { CannedReply } from './canned-reply.entity.js'
import type { CannedReplyQuery, CreateCannedReply, UpdateCannedReply } from './canned-reply.schema.js'

export class CannedReplies {
  private readonly table: WorkspaceTable<CannedReply>

  constructor(
    private readonly database: Database,
    private readonly max: number,
  ) {
    this.table = new WorkspaceTable(database, CannedReply, { audited: 'canned_reply' })
  }

  /** By their titles. */
  async list(workspace: Owner, { search, ...page }: CannedReplyQuery): Promise<Page<CannedReply>> {
    return this.table.list(workspace, {
      ...page,
      ...{ sort_field: 'title', sort_order: 'asc', searched: ['title', 'body'] },
      ...(search && { search }),
    })
  }

  /** @throws 403 at the limit */
  async create(workspace: Owner, input: CreateCannedReply): Promise<CannedReply> {
    const now = new Date()
    const made = { id: newId('can'), workspace_id: workspace.id, ...input, created_at: now, updated_at: now }
    return this.database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.max, what: 'canned replies' })
      return this.table.in(tx).insert(made)
    })
  }

  /** @throws 404 */
  async update(workspace: Owner, id: string, input: UpdateCannedReply): Promise<CannedReply> {
    return this.database.transaction(async (tx) => {
      const table = this.table.in(tx)
      const reply = await table.lock(workspace, id)
      if (!reply) throw unknown(id)
      const changes = { ...input, updated_at: new Date() }
      await table.update(workspace, id, changes)
      return { ...reply, ...changes }
    })
  }

  /** @throws 404 */
  async delete(workspace: Owner, id: string): Promise<CannedReply> {
    const reply = await this.table.find(workspace, id)
    if (!reply) throw unknown(id)
    await this.table.delete(workspace, id)
    return reply
  }
}

const unknown = (id: string) => notFound(`Canned reply ${id} not found`)
