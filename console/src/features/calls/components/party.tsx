import { Party } from '../../../design/party'
import type { CallRecord } from '../workspace-calls'

type Parties = Pick<CallRecord, 'from' | 'from_name' | 'to' | 'to_name' | 'direction' | 'contact'>

/** A side of a call: the outer one goes by the name of its contact. */
export function PartyOf({ call, side }: { call: Parties; side: 'from' | 'to' }) {
  const isOutside = (side === 'from') === (call.direction === 'inbound')
  const name = (isOutside && call.contact?.name) || call[`${side}_name`]
  return <Party number={call[side]} name={name} />
}
