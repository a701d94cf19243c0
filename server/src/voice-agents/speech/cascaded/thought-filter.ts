const [opening, closing] = ['<think>', '</think>']

/**
 * Leaves out what a reasoning model thinks aloud before it answers: some servers put it into the answer, between
 * `<think>` and `</think>`. Nobody is to hear it.
 */
export class ThoughtFilter {
  /** Of the beginning, until it is known to be no thought. */
  private waiting = ''
  private state: 'beginning' | 'thinking' | 'answering' = 'beginning'

  pass(part: string): string {
    if (this.state === 'answering') return part
    this.waiting += part
    if (this.state === 'beginning') {
      const begun = this.waiting.trimStart()
      if (begun.startsWith(opening)) this.state = 'thinking'
      else if (!opening.startsWith(begun)) return this.answer(this.waiting)
    }
    if (this.state === 'thinking') {
      const end = this.waiting.indexOf(closing)
      if (end >= 0) return this.answer(this.waiting.slice(end + closing.length).trimStart())
      this.waiting = this.waiting.slice(-closing.length)
      if (!this.waiting.includes('<')) this.waiting = ''
    }
    return ''
  }

  private answer(text: string): string {
    this.state = 'answering'
    this.waiting = ''
    return text
  }
}
