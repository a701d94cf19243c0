/** Why an outgoing call of this agent was not answered, from its end event. */

/** As in media/ended-texts.ts. */
export type Unreached = 'busy' | 'timeout' | 'rejected' | 'wrong_number' | 'offline' | 'unreached'

interface CallEnd {
  status: unknown
  hangup_cause?: unknown
}

const byCause: Partial<Record<string, Unreached>> = {
  CALL_REJECTED: 'rejected',
  INVALID_NUMBER_FORMAT: 'wrong_number',
  NO_ROUTE_DESTINATION: 'wrong_number',
  NUMBER_CHANGED: 'wrong_number',
  SUBSCRIBER_ABSENT: 'offline',
  UNALLOCATED_NUMBER: 'wrong_number',
}

/** Null: it was answered, or the agent gave up. */
export function unreachedOf({ status, hangup_cause }: CallEnd): Unreached | null {
  if (status === 'busy') return 'busy'
  if (status === 'no_answer') return 'timeout'
  return status === 'failed' ? (byCause[String(hangup_cause)] ?? 'unreached') : null
}
