/** What the cascaded speech model is made of: rates, files, sentences, and the stream of a chat. */
import { expect } from 'chai'
import { ChatStream } from '../../src/adapters/speech/cascaded/chat-stream.js'
import { Resampler } from '../../src/lib/sound/resampler.js'
import { Sentences } from '../../src/adapters/speech/cascaded/sentences.js'
import { spokenForm } from '../../src/adapters/speech/cascaded/spoken-form.js'
import { dataOf } from '../../src/adapters/speech/cascaded/server-events.js'
import { SpeechSamples } from '../../src/adapters/speech/cascaded/speech-samples.js'
import { SpokenText } from '../../src/adapters/speech/cascaded/spoken-text.js'
import { wavOf } from '../../src/adapters/speech/cascaded/wav.js'
import { SpeechModelError } from '../../src/adapters/speech/speech-model.js'
import { resampled } from '../support/resampled.js'
import { tone, toneLevel } from '../support/tone.js'

describe('resampler', () => {
  for (const [from, to] of [
    [24_000, 16_000],
    [22_050, 24_000],
    [16_000, 24_000],
    [48_000, 24_000],
  ] as const) {
    it(`keeps pitch, level and length from ${from} to ${to} Hz, in parts of any size`, () => {
      const input = tone(1_000, from, from)
      const whole = resampled(input, from, to)
      expect(whole.length).to.equal(to)
      expect(toneLevel(whole, 1_000, to)).to.be.above(0.99)
      const loudest = Math.max(...whole.subarray(to / 4, to / 2))
      expect(loudest).to.be.within(7_900, 8_100)
      const resampler = new Resampler(from, to)
      const parts: number[] = []
      for (let at = 0; at < input.length; at += 777)
        parts.push(...resampler.push(input.subarray(at, at + 777)))
      parts.push(...resampler.end())
      expect(parts).to.deep.equal([...whole])
    })
  }

  it('lets nothing through that the lower rate cannot hold', () => {
    const made = resampled(tone(11_000, 24_000, 24_000), 24_000, 16_000)
    expect(Math.max(...made.subarray(1_000, 15_000))).to.be.below(20)
  })
})

describe('samples of text to speech', () => {
  const samples = tone(500, 2_205, 22_050)
  const bytes = Buffer.from(samples.buffer)

  function madeOf(content: Buffer, pcmRate: number): number[] {
    const made = new SpeechSamples(pcmRate, 24_000)
    const parts: number[] = []
    for (let at = 0; at < content.length; at += 7) parts.push(...made.push(content.subarray(at, at + 7)))
    return [...parts, ...made.end()]
  }

  it('are the same from pcm, and from a WAV file that tells its rate, whatever parts they come in', () => {
    const expected = [...resampled(samples, 22_050, 24_000)]
    expect(madeOf(bytes, 22_050)).to.deep.equal(expected)
    expect(madeOf(wavOf(samples, 22_050), 24_000)).to.deep.equal(expected)
    expect(madeOf(bytes, 24_000)).to.deep.equal([...samples])
  })

  it('are not made of what is no 16-bit mono PCM', () => {
    const stereo = wavOf(samples, 24_000)
    stereo.writeUInt16LE(2, 22)
    expect(() => madeOf(stereo, 24_000)).to.throw(SpeechModelError, 'not 16-bit mono PCM')
    expect(() => madeOf(wavOf(samples, 23_999), 24_000)).to.throw(SpeechModelError, '23999')
    const headless = wavOf(samples, 24_000)
    headless.write('junk', 36, 'latin1')
    expect(() => madeOf(headless.subarray(0, 60), 24_000)).to.throw(SpeechModelError, 'neither')
  })
})

describe('sentences', () => {
  function cut(text: string, size = 3): string[] {
    const sentences = new Sentences()
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    return [...parts.flatMap((part) => sentences.push(part)), ...sentences.end()].map((one) => one.trim())
  }

  it('are cut where they end, and nowhere else', () => {
    expect(
      cut('We open at 9.30 every day. Shall I book a table for you? "Certainly, yes!" she said'),
    ).to.deep.equal([
      'We open at 9.30 every day.',
      'Shall I book a table for you?',
      '"Certainly, yes!" she said',
    ])
    expect(cut('Dr. No. I see him at noon.')).to.deep.equal(['Dr. No. I see him at noon.'])
    expect(cut('我们每天早上九点开门营业。请问您想预订吗？谢谢')).to.have.length(2)
    expect(cut('')).to.deep.equal([])
  })

  it('lose nothing, also when they never end', () => {
    const long = 'and on, '.repeat(200).trim()
    for (const size of [1, 7, 5_000]) {
      const parts = cut(long, size)
      expect(parts.join(' ')).to.equal(long)
      expect(Math.max(...parts.map(({ length }) => length))).to.be.at.most(300)
    }
    expect(cut('x'.repeat(700)).join('')).to.equal('x'.repeat(700))
  })

  it('are spoken without marks of Markdown, and not at all without a word', () => {
    expect(spokenForm(' **Hello**, see [our site](https://a.example)! 😀\n')).to.equal('Hello, see our site!')
    expect(spokenForm(' --- ')).to.equal('')
  })
})

describe('spoken text', () => {
  it('keeps what was heard: whole sentences, and the words of one that was cut', () => {
    const text = new SpokenText('one')
    for (const [sentence, ms] of [
      ['First sentence. ', 1_000],
      ['The second one here. ', 2_000],
      ['Third.', 1_000],
    ] as const) {
      const sound = text.add(sentence, true)
      sound.made(ms)
      sound.whole()
    }
    text.cut(2_100)
    expect(text.text).to.equal('First sentence. The second')
    text.cut(1_000)
    expect(text.text).to.equal('First sentence.')
    text.cut(0)
    expect(text.text).to.equal('')
  })
})

describe('stream of a chat', () => {
  function streamed(...chunks: (object | string)[]) {
    let text = ''
    const stream = new ChatStream((part) => (text += part))
    for (const chunk of chunks) stream.take(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
    return { outcome: () => stream.outcome(), text: () => text }
  }
  const delta = (part: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: part, finish_reason }],
  })

  it('joins the parts of calls, whether indexes, ids or arguments come as OpenAI or as Ollama sends them', () => {
    const parts = streamed(
      delta({ content: null, tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{"x"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '' } }] }),
      delta({}, 'tool_calls'),
      '[DONE]',
    )
    expect(parts.outcome().toolCalls).to.deep.equal([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ])
    const whole = streamed(
      delta({ content: '', tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }] }),
      delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'one', arguments: { y: 2 } } }] }, 'stop'),
    )
    expect(whole.outcome().toolCalls.map(({ id, arguments: given }) => [id, given])).to.deep.equal([
      ['a', '{}'],
      ['b', '{"y":2}'],
    ])
  })

  it('counts what was used, also when the last part has no choices', () => {
    for (const choices of [[], null]) {
      const usage = { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } }
      const used = streamed(delta({ content: 'Hi' }, 'stop'), { choices, usage }, '[DONE]')
      expect(used.outcome().usage).to.deep.equal({
        inputTextTokens: 10,
        outputTextTokens: 3,
        cachedTokens: 4,
      })
    }
  })

  it('leaves out thoughts, and nothing else', () => {
    for (const [parts, text] of [
      [['<th', 'ink>Let me see. <b>', 'x</b></thi', 'nk>\n\nHel', 'lo'], 'Hello'],
      [['Hel', 'lo <think>'], 'Hello <think>'],
      [['<', 'b>Hi'], '<b>Hi'],
    ] as const) {
      expect(streamed(...parts.map((content) => delta({ content }))).text()).to.equal(text)
    }
  })

  it('knows an answer that breaks off, and one that is none', () => {
    const kindOf = (...chunks: (object | string)[]) => {
      try {
        streamed(...chunks).outcome()
      } catch (error) {
        return (error as SpeechModelError).kind
      }
      return null
    }
    expect(kindOf(delta({ content: 'Hello, I' }))).to.equal('unreachable')
    expect(kindOf({ error: { message: 'out of memory' } })).to.equal('unreachable')
    expect(kindOf('<html>')).to.equal('protocol')
    expect(kindOf('null')).to.equal('protocol')
    expect(kindOf(delta({ content: 'Hello' }, 'stop'))).to.equal(null)
  })

  it('is read from server-sent events that are cut anywhere', async () => {
    const stream = ': comment\r\n\r\ndata: {"a":\r\ndata: "ü"}\r\n\r\nevent: x\ndata:[1]\n\ndata: [DONE]'
    const bytes = Buffer.from(stream)
    for (const size of [1, 2, 5, 1_000]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const data: string[] = []
      for await (const one of dataOf(partsOf(parts))) data.push(one)
      expect(data, String(size)).to.deep.equal(['{"a":\n"ü"}', '[1]', '[DONE]'])
    }
  })
})

async function* partsOf(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Promise.resolve(part)
}
