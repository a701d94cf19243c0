/** Which kinds of phones are registered under an address: what the registrar holds in this moment. */
import type { Database } from '../../infrastructure/database/database.js'
import type { SipAddress } from './registrations.js'

/** As `X-Edge-Class` has it: `webrtc` is a browser, over WebSocket, and `sip` is any other phone (kamailio-conf/README.md). */
export type ContactKind = 'sip' | 'webrtc'

export class RegisteredContacts {
  constructor(private readonly database: Database) {}

  /** Empty where nothing is registered. */
  async kindsOf({ username, domain }: SipAddress): Promise<ContactKind[]> {
    // The edge looks at the same: the way to a contact, which is its Path, or where it registered from.
    const rows: { is_browser: number }[] = await this.database.source.query(
      `SELECT DISTINCT COALESCE(NULLIF(path, ''), received, '') LIKE '%transport=ws%' AS is_browser
       FROM location WHERE username = ? AND domain = ? AND expires > UNIX_TIMESTAMP() ORDER BY is_browser`,
      [username, domain],
    )
    return rows.map(({ is_browser }) => (is_browser === 1 ? 'webrtc' : 'sip'))
  }
}
