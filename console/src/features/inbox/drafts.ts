/** What is half written in each conversation, for as long as this tab is open. */
const drafts = new Map<string, string>()

export function draftOf(conversationId: string): string {
  return drafts.get(conversationId) ?? ''
}

export function keepDraft(conversationId: string, text: string): void {
  if (text === '') drafts.delete(conversationId)
  else drafts.set(conversationId, text)
}
