import { SpeechModelError } from '../speech-model.js'

/** Bytes of one line. */
const longestLine = 1_048_576

/** The data of a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* dataOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new SpeechModelError('protocol', 'a line of the chat is too long')
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
  // Some servers leave out the last empty line.
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim())
  if (data.length > 0) yield data.join('\n')
}
