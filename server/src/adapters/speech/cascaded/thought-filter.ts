const [opening, closing] = ['<think>', '</think>']

/**
 * Leaves out what a reasoning model thinks aloud before it answers. Some servers put it into the answer, between
 * `<think>` and `</think>`; callers must not hear it.
 */
export class ThoughtFilter {
  /** The beginning of the answer, until it is known not to be a thought. */
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
