/** Problems of parameters, as one text for timelines. */
import type { FieldProblem } from '../../../../infrastructure/http/errors.js'

const maxLength = 500

export function problemText(problems: readonly FieldProblem[]): string {
  const text = problems.flatMap(withField).join('; ')
  // A field may have any name, even one that the database cannot store.
  return text.slice(0, maxLength).replace(/\p{Cs}/gu, '\ufffd')
}

/** An action's messages name its parameter, but not the action: the field does. */
function withField({ field, messages }: FieldProblem): string[] {
  return messages.map((message) => (message.includes(field) ? message : `${field}: ${message}`))
}
