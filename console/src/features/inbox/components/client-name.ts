import type { Conversation } from '../queries'

/** Short name of a client. */
export function clientName({ client_name, client_number }: Conversation): string {
  return client_name ?? client_number
}
