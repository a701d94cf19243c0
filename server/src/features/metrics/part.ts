/** A part of the platform whose state is asked when somebody looks. */
import type { Reading } from './instruments.js'

export interface MeasuredPart {
  readonly name: 'server' | 'database' | 'work' | 'switch' | 'edge'
  readonly readings: readonly Pick<Reading, 'forget'>[]
  /** Asks the part, and returns what puts its readings. @throws when it does not answer */
  ask(): Promise<() => void>
}
