import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { ConversationNote } from './conversation-note.entity.js'
import type { ConversationNotes } from './conversation-note.service.js'
import { ConversationNoteShape, WriteNote, noteParams } from './conversation.schema.js'

const tag = 'Conversations'
const errors = { 404: 'No such conversation, or not one that the agent may see' }

export function conversationNoteEndpoints({ notes }: { notes: ConversationNotes }) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/conversations/:id/notes',
      summary: 'List the notes on a conversation',
      description: 'In the order of their writing.',
      tag,
      auth: agent(),
      params: idParams,
      query: pageQuery(50),
      response: { 200: listOf(ConversationNoteShape) },
      errors,
      handler: async ({ workspace, actor, params, query }) =>
        listAnswer(query, await notes.list(workspace, actor, params.id, query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/conversations/:id/notes',
      summary: 'Write a note on a conversation',
      description: 'Agents who may see the conversation see its notes; the client does not.',
      tag,
      auth: agent(),
      params: idParams,
      body: WriteNote,
      response: { 201: ConversationNoteShape },
      errors,
      handler: async ({ workspace, actor, params, body }) =>
        present(await notes.write(workspace, actor, params.id, body.body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/call-center/conversations/:id/notes/:note_id',
      summary: 'Delete one of your own notes',
      tag,
      auth: agent(),
      params: noteParams,
      response: { 200: ConversationNoteShape },
      errors: { 403: 'Another agent has written it', 404: 'No such conversation or note' },
      handler: async ({ workspace, actor, params }) =>
        present(await notes.delete(workspace, actor, params.id, params.note_id)),
    }),
  ]
}

function present(note: ConversationNote) {
  const { id, conversation_id, agent_id, body, created_at, updated_at } = note
  return {
    ...{ id, conversation_id, agent_id, body },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
