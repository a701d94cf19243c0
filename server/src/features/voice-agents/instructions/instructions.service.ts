/** Conversations in which instructions are written: kept here, as the servers of text models keep none. */
import { LessThan } from 'typeorm'
import { type Database, isMissingReference } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { conflict, forbidden, invalidField } from '../../../infrastructure/http/errors.js'
import { InstructionConversation } from './instruction-conversation.entity.js'
import { InstructionResponse } from './instruction-response.entity.js'
import type { InstructionWriter } from './instruction-writer.js'
import type { WriteInstructions } from './instructions.schema.js'

/** Origin of a voice agent's instructions, as its request names it. */
export interface InstructionOrigin {
  conversation?: string | undefined
  response_id?: string | undefined
}

/** Shortest first prompt, which says what the voice agent is for. */
const shortestFirst = 10
/** Responses of a conversation, in all branches. */
const maxResponses = 50
/** Conversations of a workspace; the least recently used ones are removed. */
const maxConversations = 100
/** A conversation ends when it has not been used for this time. */
const retainedMs = 30 * 86_400_000
/** Expired conversations that are removed at once, of all workspaces. */
const removedAtOnce = 1_000

export class InstructionService {
  private readonly conversations: WorkspaceTable<InstructionConversation>
  private readonly responses: WorkspaceTable<InstructionResponse>

  constructor(
    private readonly database: Database,
    private readonly writer: InstructionWriter,
  ) {
    this.conversations = new WorkspaceTable(database, InstructionConversation)
    this.responses = new WorkspaceTable(database, InstructionResponse)
  }

  /**
   * Starts a conversation, or continues one.
   * @throws 400 not a conversation or response of the workspace, 403 the conversation is full, 409 no text model,
   *   503 the text model failed
   */
  async write(workspace: Owner, input: WriteInstructions): Promise<InstructionResponse> {
    const { prompt, conversation, response_id } = input
    if (conversation === undefined && response_id !== undefined) {
      throw invalidField('conversation', 'conversation is required with response_id')
    }
    if (conversation === undefined && [...prompt].length < shortestFirst) {
      throw invalidField('prompt', `prompt must have at least ${shortestFirst} characters to begin with`)
    }
    const before = conversation === undefined ? [] : await this.responsesOf(workspace, conversation)
    if (before.length >= maxResponses) {
      throw forbidden(`The conversation has ${maxResponses} responses already: begin another one`)
    }
    const last = response_id === undefined ? before.at(-1) : before.find(({ id }) => id === response_id)
    if (response_id !== undefined && !last) throw notOfConversation()
    const draft = await this.writer.write(workspace, pathTo(last, before), prompt)
    const response = {
      ...{ id: newId('air'), workspace_id: workspace.id },
      ...{ conversation_id: conversation ?? newId('aic'), follows_id: last?.id ?? null },
      ...{ prompt, instructions: draft.instructions, greeting_message: draft.greeting_message },
      created_at: new Date(),
    }
    return this.keep(workspace, response, conversation === undefined)
  }

  /** @throws 400 naming what is not a conversation of the workspace, or not a response of it */
  async check(workspace: Owner, { conversation, response_id }: InstructionOrigin): Promise<void> {
    if (conversation !== undefined && !(await this.conversations.has(workspace, ascii(conversation)))) {
      throw notOfWorkspace()
    }
    if (response_id === undefined) return
    const response = await this.responses.find(workspace, ascii(response_id))
    if (!response || (conversation !== undefined && response.conversation_id !== conversation)) {
      throw notOfConversation()
    }
  }

  /** Oldest first. @throws 400 */
  private async responsesOf(workspace: Owner, conversation: string): Promise<InstructionResponse[]> {
    const found = await this.conversations.find(workspace, conversation)
    if (!found || found.used_at.getTime() < Date.now() - retainedMs) throw notOfWorkspace()
    return this.responses.findAll(workspace, { conversation_id: conversation }, maxResponses)
  }

  private async keep(workspace: Owner, response: InstructionResponse, isFirst: boolean) {
    const { conversation_id: id, created_at: now } = response
    try {
      await this.database.transaction(async (tx) => {
        const conversations = this.conversations.in(tx)
        if (isFirst)
          await conversations.insert({ id, workspace_id: workspace.id, created_at: now, used_at: now })
        else await conversations.update(workspace, id, { used_at: now })
        await this.responses.in(tx).insert(response)
      })
    } catch (error) {
      throw isMissingReference(error) ? conflict('The conversation has ended in the meantime') : error
    }
    if (isFirst) await this.removeOld(workspace)
    return response
  }

  private async removeOld(workspace: Owner): Promise<void> {
    const table = this.database.platformTable(InstructionConversation)
    const outdated = await table.find({
      ...{ select: { id: true }, where: { used_at: LessThan(new Date(Date.now() - retainedMs)) } },
      ...{ order: { used_at: 'ASC' as const }, take: removedAtOnce },
    })
    const unused = await table.find({
      ...{ select: { id: true }, where: { workspace_id: workspace.id } },
      ...{
        order: { used_at: 'DESC' as const, id: 'DESC' as const },
        skip: maxConversations,
        take: removedAtOnce,
      },
    })
    const ids = [...outdated, ...unused].map(({ id }) => id)
    if (ids.length > 0) await table.delete(ids)
  }
}

/** The responses that lead to one, oldest first. */
function pathTo(
  last: InstructionResponse | undefined,
  all: readonly InstructionResponse[],
): InstructionResponse[] {
  const byId = new Map(all.map((one) => [one.id, one]))
  const path: InstructionResponse[] = []
  for (let one = last; one; one = byId.get(one.follows_id ?? '')) path.unshift(one)
  return path
}

/** Text that is not ASCII is never an id, and cannot be compared with an ASCII column. */
function ascii(text: string): string {
  return /^[!-~]{1,64}$/.test(text) ? text : ''
}

function notOfWorkspace() {
  return invalidField(
    'conversation',
    'conversation must be one of the workspace, of POST /voice-agents/instructions',
  )
}

function notOfConversation() {
  return invalidField('response_id', 'response_id must be a response of the conversation')
}
