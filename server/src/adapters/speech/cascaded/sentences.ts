import { sentenceEnds } from './sentence-ends.js'

/** Shorter ones are spoken together with the next: `Yes.` */
const shortest = 12

/** Longer ones are cut at a comma or between words: the caller waits for the first. */
const longest = 300

/** Characters of a text that are looked at: no sentence is longer. */
const window = 2 * longest

/** Cuts sentences from a text that comes in parts, to be spoken one after another. */
export class Sentences {
  private rest = ''

  /** @param language ISO 639: abbreviations and ordinals are of a language */
  constructor(private readonly language = 'en') {}

  /** @returns the sentences that are whole now, with the space around them */
  push(part: string): string[] {
    this.rest += part
    return this.cut(false)
  }

  /** The rest of the text, when no more comes. */
  end(): string[] {
    const all = [...this.cut(true), this.rest.trimEnd()]
    this.rest = ''
    return all.filter((one) => one.trim() !== '')
  }

  private cut(isLast: boolean): string[] {
    const whole: string[] = []
    for (let end = this.nextEnd(isLast); end > 0; end = this.nextEnd(isLast)) {
      whole.push(this.rest.slice(0, end))
      this.rest = this.rest.slice(end)
    }
    return whole
  }

  /** The end of the first sentence; 0 if it has none yet. */
  private nextEnd(isLast: boolean): number {
    const text = this.rest.slice(0, window)
    const isWhole = isLast && text.length === this.rest.length
    const end = sentenceEnds(text, this.language, isWhole).find(
      (one) => text.slice(0, one).trim().length >= shortest,
    )
    if (end !== undefined && end <= longest) return end
    if (this.rest.length <= longest) return 0
    const part = this.rest.slice(0, longest)
    const cut = Math.max(part.lastIndexOf(', '), part.lastIndexOf('; '))
    if (cut > longest / 3) return cut + 1
    const space = part.lastIndexOf(' ')
    return space > 0 ? space : longest
  }
}
