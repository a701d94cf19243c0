/** Notes on conversations: what agents write to one another about them. */
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { forbidden, notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import type { ConversationNotifier } from './conversation-notifier.js'
import { ConversationNote } from './conversation-note.entity.js'
import type { ConversationService } from './conversation.service.js'

export class ConversationNotes {
  private readonly table: WorkspaceTable<ConversationNote>

  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationService,
    private readonly notifier: ConversationNotifier,
  ) {
    this.table = new WorkspaceTable(database, ConversationNote)
  }

  /** In the order of their writing. @throws 404 */
  async list(
    workspace: Owner,
    agent: AgentActor,
    conversation_id: string,
    page: Pick<ListRequest, 'page' | 'limit'>,
  ): Promise<Page<ConversationNote>> {
    await this.conversations.get(workspace, agent, conversation_id)
    return this.table.list(workspace, {
      ...page,
      ...{ sort_field: 'created_at', sort_order: 'asc', where: { conversation_id } },
    })
  }

  /** @throws 404 */
  async write(
    workspace: Owner,
    agent: AgentActor,
    conversation_id: string,
    body: string,
  ): Promise<ConversationNote> {
    await this.conversations.get(workspace, agent, conversation_id)
    const now = new Date()
    const note = await this.table.insert({
      ...{ id: newId('note'), workspace_id: workspace.id, conversation_id, agent_id: agent.id, body },
      ...{ created_at: now, updated_at: now },
    })
    this.notifier.changed(workspace.id, conversation_id, ['notes'])
    return note
  }

  /** @throws 404, 403 when another agent has written it */
  async delete(
    workspace: Owner,
    agent: AgentActor,
    conversation_id: string,
    id: string,
  ): Promise<ConversationNote> {
    await this.conversations.get(workspace, agent, conversation_id)
    const note = await this.table.findBy(workspace, { id, conversation_id })
    if (!note) throw notFound(`Note ${id} not found`)
    if (note.agent_id !== agent.id) throw forbidden('Another agent has written this note')
    await this.database.transaction(async (tx) => {
      await this.table.in(tx).delete(workspace, id)
      afterCommit(tx, () => this.notifier.changed(workspace.id, conversation_id, ['notes']))
    })
    return note
  }
}
