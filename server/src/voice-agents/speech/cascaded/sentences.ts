/** Shorter ones are spoken together with the next: `Dr.`, `No.` */
const shortest = 12

/** Longer ones are cut at a comma or between words: the caller waits for the first. */
const longest = 300

/** The end of a sentence: a mark that space follows, one of East Asia, or a line's end. */
const ends = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]+|\n/g

/** Cuts sentences from a text that comes in parts, to be spoken one after another. */
export class Sentences {
  private rest = ''

  /** @returns the sentences that are whole now, with the space around them */
  push(part: string): string[] {
    this.rest += part
    const whole: string[] = []
    for (let end = this.nextEnd(); end > 0; end = this.nextEnd()) {
      whole.push(this.rest.slice(0, end))
      this.rest = this.rest.slice(end)
    }
    return whole
  }

  /** What is left, as nothing more comes. */
  end(): string[] {
    const [left, rest] = [this.push('\n'), this.rest]
    this.rest = ''
    const all = [...left, rest].join('').trimEnd()
    return all === '' ? [] : [all]
  }

  /** Where the first sentence ends; 0 when it has not. */
  private nextEnd(): number {
    for (const { 0: mark, index } of this.rest.matchAll(ends)) {
      const end = index + mark.length
      if (end > longest) break
      if (this.rest.slice(0, end).trim().length >= shortest) return end
    }
    if (this.rest.length <= longest) return 0
    const part = this.rest.slice(0, longest)
    const cut = Math.max(part.lastIndexOf(', '), part.lastIndexOf('; '))
    if (cut > longest / 3) return cut + 1
    const space = part.lastIndexOf(' ')
    return space > 0 ? space : longest
  }
}

/** A sentence as it is read out: without marks of Markdown; empty when nothing can be spoken. */
export function spokenForm(sentence: string): string {
  const plain = sentence
    .replace(/[*`#]|_{2,}|~~/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\p{Extended_Pictographic}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? plain : ''
}
