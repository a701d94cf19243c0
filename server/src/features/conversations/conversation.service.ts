/** Conversations: what agents do with them beside writing. */
import type { EntityManager } from 'typeorm'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { entityOf } from '../../infrastructure/database/rows.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { forbidden, invalidField, notFound } from '../../infrastructure/http/errors.js'
import type { ConversationNotifier } from './conversation-notifier.js'
import { seenBy, seesAll } from './conversation-scope.js'
import { Conversation } from './conversation.entity.js'
import type { UpdateConversation } from './conversation.schema.js'

export class ConversationService {
  private readonly table: WorkspaceTable<Conversation>
  /** Its changes are recorded in the audit log. */
  private readonly audited: WorkspaceTable<Conversation>

  constructor(
    private readonly database: Database,
    private readonly notifier: ConversationNotifier,
  ) {
    this.table = new WorkspaceTable(database, Conversation)
    this.audited = new WorkspaceTable(database, Conversation, { audited: 'conversation' })
  }

  /** @throws 404 unknown, and not the agent's to see */
  async get(workspace: Owner, agent: AgentActor, id: string): Promise<Conversation> {
    return this.seen(this.database.source.manager, workspace, agent, id)
  }

  /** For people who manage the workspace. @throws 404 */
  async find(workspace: Owner, id: string): Promise<Conversation> {
    const conversation = await this.table.find(workspace, id)
    if (!conversation) throw notFound(`Conversation ${id} not found`)
    return conversation
  }

  /** Marks it as read. @throws 404 */
  async read(workspace: Owner, agent: AgentActor, id: string): Promise<Conversation> {
    return this.changing(workspace, agent, id, async (tx, conversation) => {
      const changes = { unread_count: 0, last_read_at: new Date() }
      await this.table.in(tx).update(workspace, id, changes)
      if (conversation.unread_count > 0) this.notify(tx, conversation, ['unread_count', 'last_read_at'])
      return { ...conversation, ...changes }
    })
  }

  /**
   * Opens, closes or assigns a conversation.
   * @throws 404, 400 naming an invalid assignee, 403 if a member may not assign it
   */
  async update(
    workspace: Owner,
    agent: AgentActor,
    id: string,
    input: UpdateConversation,
  ): Promise<Conversation> {
    return this.changing(
      workspace,
      agent,
      id,
      async (tx, conversation) => {
        const changed = (Object.keys(input) as (keyof UpdateConversation)[]).filter(
          (field) => input[field] !== conversation[field],
        )
        checkMayAssign(agent, conversation, input, changed)
        if (changed.length === 0) return conversation
        const changes = { ...input, updated_at: new Date() }
        await this.audited.in(tx).update(workspace, id, changes)
        this.notify(tx, conversation, changed)
        return { ...conversation, ...changes }
      },
      async (tx) => this.checkAssignees(tx, workspace, input),
    )
  }

  /** Unassigns the conversations of a deleted agent; they stay assigned to their teams. */
  async releaseAgent(tx: EntityManager, workspace: Owner, agentId: string): Promise<void> {
    await tx.query(
      'UPDATE conversations SET assigned_agent_id = NULL WHERE workspace_id = ? AND assigned_agent_id = ?',
      [workspace.id, agentId],
    )
  }

  /** The same for a team. */
  async releaseTeam(tx: EntityManager, workspace: Owner, teamId: string): Promise<void> {
    await tx.query(
      'UPDATE conversations SET assigned_team_id = NULL WHERE workspace_id = ? AND assigned_team_id = ?',
      [workspace.id, teamId],
    )
  }

  /** @param first what is locked before the conversation is */
  private async changing(
    workspace: Owner,
    agent: AgentActor,
    id: string,
    work: (tx: EntityManager, conversation: Conversation) => Promise<Conversation>,
    first: (tx: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<Conversation> {
    return this.database.transaction(async (tx) => {
      await first(tx)
      return work(tx, await this.seen(tx, workspace, agent, id, 'FOR UPDATE'))
    })
  }

  private async seen(
    tx: EntityManager,
    workspace: Owner,
    agent: AgentActor,
    id: string,
    lock = '',
  ): Promise<Conversation> {
    const visible = seenBy(workspace, agent)
    const [row] = await tx.query<Record<string, unknown>[]>(
      `SELECT conversation.* FROM conversations conversation
       WHERE conversation.id = ? AND conversation.workspace_id = ? AND ${visible.sql} ${lock}`,
      [id, workspace.id, ...visible.values],
    )
    if (!row) throw notFound(`Conversation ${id} not found`)
    return entityOf(tx, Conversation, row)
  }

  /** Locks the assignees until the transaction ends. @throws 400 */
  private async checkAssignees(
    tx: EntityManager,
    workspace: Owner,
    { assigned_agent_id, assigned_team_id }: UpdateConversation,
  ): Promise<void> {
    const isThere = async (table: string, id: string, more = '') => {
      const rows = await tx.query<unknown[]>(
        `SELECT 1 FROM ${table} WHERE id = ? AND workspace_id = ?${more} LOCK IN SHARE MODE`,
        [id, workspace.id],
      )
      return rows.length > 0
    }
    if (assigned_agent_id && !(await isThere('agents', assigned_agent_id, ' AND is_active = 1'))) {
      throw invalidField('assigned_agent_id', 'assigned_agent_id is not an active agent of this workspace')
    }
    if (assigned_team_id && !(await isThere('teams', assigned_team_id))) {
      throw invalidField('assigned_team_id', 'assigned_team_id is not a team of this workspace')
    }
  }

  private notify(tx: EntityManager, { id, workspace_id }: Conversation, changed: readonly string[]): void {
    afterCommit(tx, () => this.notifier.changed(workspace_id, id, changed))
  }
}

/** Members take conversations of no agent, and reassign their own; others may assign all. @throws 403 */
function checkMayAssign(
  agent: AgentActor,
  { assigned_agent_id }: Conversation,
  input: UpdateConversation,
  changed: readonly (keyof UpdateConversation)[],
): void {
  const { id } = agent
  if (seesAll(agent) || changed.every((field) => field === 'status')) return
  const takes = assigned_agent_id === null && input.assigned_agent_id === id
  if (assigned_agent_id !== id && !takes) {
    throw forbidden('Members take conversations that no agent has, and hand on their own')
  }
}
