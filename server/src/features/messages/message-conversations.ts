/** Conversations as messages need them: each message is at a position of one. */
import type { EntityManager } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'

/** What messages read of a conversation's row. */
export interface MessageConversation {
  id: string
  workspace_id: string
  phone_number_id: string
  /** Digits, like all numbers in tables. */
  system_number: string
  client_number: string
  message_count: number
  /** Messages that it had and that were deleted: their positions are not given again. */
  deleted_messages: number
  last_message_at: Date | null
}

/** Finds and moves conversations in the transaction that writes their messages. */
export interface Conversations<C extends MessageConversation = MessageConversation> {
  /** The conversation of a pair, created if there is none; locked until the transaction ends. */
  lockOf(tx: EntityManager, workspace: Owner, pair: Pair): Promise<C>
  /** Adds a message at {@link nextPlace} to a conversation that the transaction has locked. @returns the changed one */
  add(tx: EntityManager, conversation: C, message: NewMessage): Promise<C>
}

/** The two parties of a conversation. */
export interface Pair {
  readonly phone_number_id: string
  /** Digits, like all numbers in tables. */
  readonly system_number: string
  readonly client_number: string
}

/** The fields of a new message that a conversation needs. */
export interface NewMessage {
  readonly id: string
  readonly direction: 'inbound' | 'outbound'
  /** The agent who wrote it; null for other senders. */
  readonly agent_id: string | null
  readonly created_at: Date
}

/** The position of a message in its conversation. */
interface Place {
  readonly conversation_id: string
  /** From 1. */
  readonly position: number
  readonly created_at: Date
}

/**
 * The position of the next message of a conversation that the transaction has locked: behind all others, with a time
 * that no other message has, so that reading on from a time leaves nothing out.
 */
export function nextPlace({
  id,
  message_count,
  deleted_messages,
  last_message_at,
}: MessageConversation): Place {
  const created_at = new Date(Math.max(Date.now(), (last_message_at?.getTime() ?? 0) + 1))
  return { conversation_id: id, position: message_count + deleted_messages + 1, created_at }
}
