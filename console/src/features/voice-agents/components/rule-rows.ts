/** Evaluation rules as form rows: a kind and its value. */
import type { Rule } from '../queries'

export const ruleKinds = [
  'says',
  'says_not',
  'matches',
  'matches_not',
  'calls_tool',
  'does_not_call_tool',
  'ends_call',
  'transfers_to',
  'max_words',
  'replies_within',
] as const

export type RuleKind = (typeof ruleKinds)[number]

export interface RuleRow {
  kind: RuleKind
  /** A text, the name of a tool, a number, or `true` and `false`. */
  value: string
  /** JSON: expected arguments of the tool call; '' for any. */
  args: string
}

/** Values of the form of a script. */
export interface ScriptValues extends Record<string, unknown> {
  name: string
  turns: { say: string; rules: RuleRow[] }[]
  /** Rules for the whole call. */
  rules: RuleRow[]
  /** Simulated tool results, as JSON. */
  answers: { tool: string; json: string }[]
}

export const newRule: RuleRow = { kind: 'says', value: '', args: '' }

export function rowOf(rule: Rule): RuleRow {
  const kind = ruleKinds.find((one) => rule[one] !== undefined) ?? 'says'
  const value = rule[kind] ?? ''
  if (typeof value !== 'object') return { kind, value: String(value), args: '' }
  return { kind, value: value.name, args: value.arguments ? JSON.stringify(value.arguments) : '' }
}

/** @throws {SyntaxError} if the arguments are not valid JSON: see {@link isJson} */
export function ruleOf({ kind, value, args }: RuleRow): Rule {
  switch (kind) {
    case 'calls_tool':
      return {
        calls_tool: {
          name: value,
          ...(args.trim() !== '' && { arguments: JSON.parse(args) as Record<string, unknown> }),
        },
      }
    case 'ends_call':
      return { ends_call: value !== 'false' }
    case 'max_words':
    case 'replies_within':
      // The API rejects an empty field: it is no number.
      return { [kind]: value.trim() === '' ? (value as never) : Number(value) }
    default:
      return { [kind]: value }
  }
}

/** Whether a field is empty or valid JSON. */
export function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
