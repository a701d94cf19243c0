/** What a call is charged for: every begun second between answer and end. */
export function billed(record: { answered_at?: string | null; ended_at?: string | null }): number {
  const { answered_at, ended_at } = record
  if (!answered_at || !ended_at) return 0
  return Math.max(1, Math.ceil((Date.parse(ended_at) - Date.parse(answered_at)) / 1000))
}
