/**
 * Parameters that need an editor of their own, by the `kind` in the `x-field` of their schemas. Their components are in
 * `components/step-fields.tsx`.
 */
import { type Params, textAt } from './steps'

interface Editor {
  /** Parameters of a new step. */
  initial?: () => Params
  /** What a step with these parameters is, in one line. @param names of the objects in them */
  summary?: (params: Params, names: Readonly<Record<string, string>>) => string
}

const all = {
  branches: {
    initial: () => ({
      branches: [
        { outcome: 'a', percent: 50 },
        { outcome: 'b', percent: 50 },
      ],
    }),
  },
  client: { initial: () => ({ sub: '' }) },
  conditions: {
    initial: () => ({ conditions: [{ subject: 'caller_number', operator: 'equals', value: '' }] }),
  },
  headers: {},
  hours: {
    initial: () => ({
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    }),
    summary: (params) => textAt(params, 'time_zone'),
  },
  operator: {
    initial: () => ({ phone_number: '' }),
    summary: (params) => textAt(params, 'phone_number') || textAt(params, 'to.number'),
  },
  prompt: {
    initial: () => ({ text: '' }),
    summary: (params, names) => names['audio_id'] ?? textAt(params, 'text'),
  },
} satisfies Readonly<Record<string, Editor>>

export type EditorName = keyof typeof all

/** Undefined for one of a newer server. */
export function editorOf(name: string): Editor | undefined {
  return Object.hasOwn(all, name) ? (all as Readonly<Record<string, Editor>>)[name] : undefined
}
