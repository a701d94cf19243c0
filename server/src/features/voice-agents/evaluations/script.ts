import type { FieldProblem } from '../../../infrastructure/http/errors.js'
import type { Rule, ScriptInput, Turn } from './rules.schema.js'

/** A written caller, with nothing left out. */
export interface Script {
  readonly name: string
  readonly turns: readonly Turn[]
  /** Of the whole call. */
  readonly expect: readonly Rule[]
  readonly tool_answers: Readonly<Record<string, unknown>>
}

/** Of all answers of tools together, as JSON. */
const maxAnswerBytes = 16_384

export function scriptOf({ name, turns, expect = [], tool_answers = {} }: ScriptInput): Script {
  return { name, turns, expect, tool_answers }
}

/** What a schema cannot say of a script. @param path before the fields' names: `scripts.0.`, or nothing */
export function problemsOf(
  script: Pick<Script, 'turns' | 'expect' | 'tool_answers'>,
  path = '',
): FieldProblem[] {
  const ofTurns = script.turns.flatMap(({ expect = [] }, turn) =>
    ofPatterns(expect, `${path}turns.${turn}.expect`),
  )
  const bytes = Buffer.byteLength(JSON.stringify(script.tool_answers))
  const field = `${path}tool_answers`
  const ofAnswers =
    bytes > maxAnswerBytes
      ? [{ field, messages: [`${field} must be at most ${maxAnswerBytes} bytes as JSON`] }]
      : []
  return [...ofTurns, ...ofPatterns(script.expect, `${path}expect`), ...ofAnswers]
}

function ofPatterns(rules: readonly Rule[], path: string): FieldProblem[] {
  return rules.flatMap((rule, index) =>
    (['matches', 'matches_not'] as const).flatMap((name) => {
      const pattern = rule[name]
      if (pattern === undefined || compiles(pattern)) return []
      const field = `${path}.${index}.${name}`
      return [{ field, messages: [`${field} must be a regular expression`] }]
    }),
  )
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'iu') instanceof RegExp
  } catch {
    return false
  }
}
