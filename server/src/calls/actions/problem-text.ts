/** What is wrong with parameters, as one text for timelines. */
import type { FieldProblem } from '../../http/errors.js'

const maxLength = 500

export function problemText(problems: readonly FieldProblem[]): string {
  const text = problems.flatMap(withField).join('; ')
  // A field may have any name, also one that no column of the database keeps.
  return text.slice(0, maxLength).replace(/\p{Cs}/gu, '\ufffd')
}

/** What an action says of its own parameters does not tell which action it is. */
function withField({ field, messages }: FieldProblem): string[] {
  return messages.map((message) => (message.includes(field) ? message : `${field}: ${message}`))
}
