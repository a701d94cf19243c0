/** The journal of ended channels, line for line as FreeSWITCH's mod_cdr_csv writes it for the appliance. */
import { appendFileSync } from 'node:fs'

/** The columns, in order; they are those of installer/parts/freeswitch.mjs. Times are µs since 1970, 0 when never. */
export const journalColumns = [
  'uuid',
  'jackfield_call',
  'jackfield_role',
  'hangup_cause',
  'sip_invite_failure_status',
  'sip_term_status',
  'start_uepoch',
  'answer_uepoch',
  'end_uepoch',
  'direction',
  'sip_to_tag',
] as const

export class Journal {
  #broken = false

  /** @param path '' writes nothing */
  constructor(private readonly path: string) {}

  /** Appends one line before the event of the channel's end is sent. Never throws. */
  write(variables: ReadonlyMap<string, string>): void {
    if (!this.path) return
    const line = journalColumns.map((name) => (variables.get(name) ?? '').replace(/[\r\n]/g, ' ')).join(',')
    try {
      appendFileSync(this.path, `${line}\n`, { mode: 0o640 })
      this.#broken = false
    } catch (error) {
      if (!this.#broken)
        console.error(`sandbox: the journal ${this.path} cannot be written: ${String(error)}`)
      this.#broken = true
    }
  }
}
