/** The channel variable that holds what a contact lookup found, as it was written (contract, Call-flow webhooks). */
import type { Channel } from '../switch/channel.js'
import type { ContactData } from './flow-state.js'

export const contactVariable = 'platform_contact_data'

/** What an earlier process found and left with the channel; null when it is not there. */
export async function keptContact(line: Channel): Promise<ContactData | null> {
  const text = await line.text(contactVariable)
  return text === null ? null : (JSON.parse(text) as ContactData)
}
