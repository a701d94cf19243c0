/**
 * Outbox of messages not yet accepted by the API. They are shown at once. A refused one stays with its error, to be
 * sent again or discarded; after a network failure it is retried when the server is back. All tries of a
 * message share one idempotency key. The outbox outlives its page, but not its tab or the author's session.
 */
import { ApiError, dataOf } from '@jackfield/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client'
import { connectionNow, onConnectionChange } from '../../api/connection'
import { messageOf } from '../../api/errors'
import { newKey } from '../../api/idempotency'
import { queryClient } from '../../api/query-client'
import { catchUp, putMessages } from './live-cache'
import { onPersonChange } from '../../session/session'

export interface Outgoing {
  /** The `Idempotency-Key` of all tries. */
  readonly key: string
  readonly conversationId: string
  readonly body: string
  readonly media_urls: readonly string[]
  /** ISO 8601. */
  readonly written_at: string
  /** Error; null while it is being sent. */
  readonly problem: string | null
  /** The server was unreachable: it is retried automatically. */
  readonly isLost: boolean
}

let outgoing: readonly Outgoing[] = []
const listeners = new Set<() => void>()

function change(next: readonly Outgoing[]): void {
  outgoing = next
  for (const listener of listeners) listener()
}

function replace(key: string, changes: Partial<Outgoing>): void {
  change(outgoing.map((one) => (one.key === key ? { ...one, ...changes } : one)))
}

/** Sends a reply. */
export function sendReply(conversationId: string, body: string, media_urls: readonly string[]): void {
  const key = newKey()
  const written_at = new Date().toISOString()
  const message = { key, conversationId, body, media_urls, written_at, problem: null, isLost: false }
  change([...outgoing, message])
  void attempt(message)
}

export function sendAgain(message: Outgoing): void {
  replace(message.key, { problem: null, isLost: false })
  void attempt(message)
}

export function discard({ key }: Pick<Outgoing, 'key'>): void {
  change(outgoing.filter((one) => one.key !== key))
}

/** Pending messages of one conversation. */
export function useOutgoing(conversationId: string): readonly Outgoing[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => outgoing,
  )
  return all.filter((one) => one.conversationId === conversationId)
}

async function attempt({ key, conversationId, body, media_urls }: Outgoing): Promise<void> {
  try {
    const message = await dataOf(
      api.POST('/call-center/conversations/{id}/messages', {
        params: { path: { id: conversationId }, header: { 'Idempotency-Key': key } },
        body: { body, media_urls: [...media_urls] },
      }),
    )
    putMessages(queryClient, conversationId, [message])
    discard({ key })
    // A colleague's message may be between the last known one and this one.
    await catchUp(queryClient, conversationId).catch(() => undefined)
  } catch (error) {
    replace(key, { problem: messageOf(error), isLost: !(error instanceof ApiError) })
  }
}

onConnectionChange(() => {
  if (connectionNow() !== 'up') return
  for (const message of outgoing) if (message.isLost) sendAgain(message)
})

onPersonChange(() => change([]))
