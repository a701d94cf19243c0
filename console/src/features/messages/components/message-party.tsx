import { Party } from '../../../design/party'
import type { Message } from '../queries'

type Parties = Pick<Message, 'from' | 'to' | 'direction' | 'client_name'>

/** A side of a message: the client goes by the name of its contact. */
export function MessageParty({ message, side }: { message: Parties; side: 'from' | 'to' }) {
  const isClient = (side === 'from') === (message.direction === 'inbound')
  return <Party number={message[side]} name={(isClient && message.client_name) || ''} />
}
