/** Drafts of each conversation, for as long as this tab is open and the same agent is signed in. */
import { useSyncExternalStore } from 'react'
import { AttachedFiles, agentUploads } from '../../api/uploads'
import { onPersonChange } from '../../session/session'

export interface Draft {
  readonly mode: 'reply' | 'note'
  /** Separate, so that a note for colleagues never goes to the client. */
  readonly reply: string
  readonly note: string
  /** Attachments of the reply. */
  readonly files: AttachedFiles
}

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function draftOf(conversationId: string): Draft {
  const known = drafts.get(conversationId)
  if (known) return known
  const draft: Draft = { mode: 'reply', reply: '', note: '', files: new AttachedFiles(agentUploads) }
  drafts.set(conversationId, draft)
  return draft
}

export function useDraft(conversationId: string): Draft {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => draftOf(conversationId),
  )
}

export function changeDraft(conversationId: string, changes: Partial<Omit<Draft, 'files'>>): void {
  drafts.set(conversationId, { ...draftOf(conversationId), ...changes })
  notify()
}

/** The note was saved; text typed meanwhile stays. */
export function noteIsKept(conversationId: string, note: string): void {
  if (draftOf(conversationId).note === note) changeDraft(conversationId, { note: '' })
}

onPersonChange(() => {
  drafts.clear()
  notify()
})
