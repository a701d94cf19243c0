/** What a type of step is: where it is offered, what it asks for, and how it may end. */
import type { Icon } from '@tabler/icons-react'
import type { Params } from './steps'

export type ReferenceKind =
  'agent' | 'audio' | 'extension' | 'outbound_gateway' | 'phone_number' | 'team' | 'voice_agent'

/** One thing that a step asks for; its name is the place in its parameters. */
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
  /** Null: it is not offered, since there is one already. */
  group: StepGroup | null
  fields: readonly Field[]
  /** Besides `default`; null when it ends the call. */
  outcomes: readonly string[] | ((params: Params) => readonly string[]) | null
  /** What a new one begins with. */
  initial?: Params
  /** It has more outcomes than anybody draws: only those with an edge are shown, and the next that is free. */
  hasKeys?: boolean
}

/** What a menu may take. */
export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#']

/** Whether the caller is answered before it begins. */
export const answer = { kind: 'flag', name: 'answer_call', byDefault: true } as const
