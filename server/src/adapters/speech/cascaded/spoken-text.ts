interface Sentence {
  text: string
  /** Milliseconds of sound so far. */
  ms: number
  isWhole: boolean
}

/** Progress of the sound of a sentence. */
export interface SoundOf {
  made(ms: number): void
  whole(): void
}

/** How long a character takes, for an incomplete sentence. */
const msPerCharacter = 60

/** One utterance of a voice agent: its sentences, and how long each of them sounds. */
export class SpokenText {
  private sentences: Sentence[] = []

  constructor(readonly itemId: string) {}

  /** The text that the chat model gets later. */
  get text(): string {
    return this.sentences
      .map(({ text }) => text)
      .join('')
      .trim()
  }

  /** @returns reports the sound that is made of the sentence; without sound it counts as heard at once */
  add(text: string, hasSound: boolean): SoundOf {
    const sentence: Sentence = { text, ms: 0, isWhole: !hasSound }
    this.sentences.push(sentence)
    return { made: (ms) => (sentence.ms += ms), whole: () => (sentence.isWhole = true) }
  }

  /** Cuts the text to the part that was heard. */
  cut(heardMs: number): void {
    let left = heardMs
    this.sentences = this.sentences.flatMap((sentence) => {
      const { text, ms, isWhole } = sentence
      const heard = left
      left -= ms
      if (isWhole && heard >= ms && heard > 0) return [sentence]
      const words =
        heard <= 0 || ms === 0
          ? ''
          : firstWords(text, heard / Math.max(ms, isWhole ? 0 : text.length * msPerCharacter))
      return words === '' ? [] : [{ text: words, ms: Math.min(ms, heard), isWhole: true }]
    })
  }

  /** Cuts the text to the part that has sound. */
  cutToMade(): void {
    this.sentences = this.sentences.filter(({ isWhole, ms }) => isWhole || ms > 0)
  }
}

/** @param part of the text, from 0 */
function firstWords(text: string, part: number): string {
  if (part >= 1) return text
  const end = text.lastIndexOf(' ', Math.floor(text.length * part))
  return end > 0 ? text.slice(0, end) : ''
}
