/** What scripts find out of the called party, as on timelines and in webhooks. */

/** Keys that were pressed. */
export interface Collected {
  digits: string
  status: 'completed' | 'timeout'
}

/** The called party: a person, an answering machine or a fax. */
export interface Answered {
  readonly answered_by: 'human' | 'machine' | 'fax' | 'unknown'
  /** How the end of a machine's greeting was detected; null if it was not waited for, or not detected. */
  readonly message_end: 'beep' | 'silence' | null
}
