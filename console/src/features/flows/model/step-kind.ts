/** Definition of a type of step: group, parameters and outcomes. */
import type { Icon } from '@tabler/icons-react'
import type { Params } from './steps'

export type ReferenceKind =
  'agent' | 'audio' | 'extension' | 'outbound_gateway' | 'phone_number' | 'team' | 'voice_agent'

/** One parameter; its name is its path. */
export type Field =
  | { kind: 'reference'; name: string; of: ReferenceKind; required?: boolean }
  | { kind: 'line' | 'text' | 'url'; name: string; required?: boolean; hint?: 'placeholders' }
  | { kind: 'number'; name: string; min: number; max: number; byDefault: number; step?: number }
  | { kind: 'flag'; name: string; byDefault: boolean }
  | { kind: 'choice'; name: string; values: readonly string[]; byDefault: string }
  | {
      kind: 'prompt' | 'operator' | 'client' | 'queue' | 'hours' | 'conditions' | 'branches' | 'headers'
      name: string
    }

export type StepGroup = 'hear' | 'ask' | 'connect' | 'decide' | 'tell' | 'end'

export interface StepKind {
  type: string
  icon: Icon
  /** Null: it cannot be added, since each flow has exactly one. */
  group: StepGroup | null
  fields: readonly Field[]
  /** Besides `default`; null if it ends the call. */
  outcomes: readonly string[] | ((params: Params) => readonly string[]) | null
  /** Parameters of a new step. */
  initial?: Params
  /** Too many outcomes to draw: only those with an edge are shown, and the next free one. */
  hasKeys?: boolean
}

/** The keys of a menu. */
export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#']

/** Whether the call is answered before this step. */
export const answer = { kind: 'flag', name: 'answer_call', byDefault: true } as const
