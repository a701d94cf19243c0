/** The channel variable that holds what a contact lookup found, as it was written (contract, Call-flow webhooks). */
import type { Channel } from '../../adapters/freeswitch/channel.js'
import type { ContactData } from './flow-state.js'

export const contactVariable = 'platform_contact_data'

/** The contact that the previous server process stored on the channel; null if there is none. */
export async function storedContact(line: Channel): Promise<ContactData | null> {
  const text = await line.text(contactVariable)
  return text === null ? null : (JSON.parse(text) as ContactData)
}
