/** Finds which of the API's sentences one is, and what stands at its placeholders. */

/** Names of sentences, and how the API words each: `must have at most {count} bytes`. `{word}` has no spaces. */
export type Patterns = Readonly<Record<string, readonly string[]>>

export interface Match<Name extends string = string> {
  readonly name: Name
  readonly values: Readonly<Record<string, string>>
}

export type Matcher<Name extends string = string> = (text: string) => Match<Name> | undefined

const placeholder = /\{(\w+)\}/g

/** A text that several patterns fit has the name of the one with the most words. */
export function matcherOf<P extends Patterns>(patterns: P): Matcher<keyof P & string> {
  const known = Object.entries(patterns)
    .flatMap(([name, texts]) => texts.map((text) => ({ name: name as keyof P & string, text })))
    .map(({ name, text }) => ({
      name,
      words: text.replace(placeholder, '').length,
      expression: expressionOf(text),
    }))
    .sort((one, other) => other.words - one.words)
  return (text) => {
    for (const { name, expression } of known) {
      const found = expression.exec(text)
      if (found) return { name, values: found.groups ?? {} }
    }
    return undefined
  }
}

function expressionOf(text: string): RegExp {
  const seen = new Set<string>()
  const parts = text.split(placeholder).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    if (seen.has(part)) return '.+?'
    seen.add(part)
    return part === 'word' ? '(?<word>\\S+)' : `(?<${part}>.+?)`
  })
  return new RegExp(`^${parts.join('')}$`, 's')
}
