import type { Conversation } from '../queries'

/** How a client is called where there is room for one name. */
export function clientName({ client_name, client_number }: Conversation): string {
  return client_name ?? client_number
}
