/** Measures that are totalled: each has its chart. */
import { countOf, moneyOf } from '../../design/values'
import type { Usage } from './queries'

type Sums = Usage['total']

export interface Measure {
  name: 'calls' | 'minutes' | 'messages' | 'cost'
  valueOf: (sums: Sums) => number
  format: (value: number) => string
  /** For a measure without parts. */
  isWhole: boolean
}

export const measures: readonly Measure[] = [
  { name: 'calls', valueOf: ({ calls }) => calls, format: countOf, isWhole: true },
  {
    name: 'minutes',
    valueOf: ({ seconds }) => Math.round(seconds / 6) / 10,
    format: countOf,
    isWhole: false,
  },
  { name: 'messages', valueOf: ({ messages }) => messages, format: countOf, isWhole: true },
  {
    name: 'cost',
    valueOf: ({ cost, message_cost }) => cost + message_cost,
    format: moneyOf,
    isWhole: false,
  },
]
