/** Uploads of one workspace, however many and costly, hold up neither live calls nor the speech of others. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type TestWorkspace, realestSwitch } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { CallBench } from '../support/call-bench.js'

const run = promisify(execFile)

/** Answers, and stays. */
const called = '+12025550100'

describe('speech beside uploads', function () {
  this.timeout(120_000)
  let bench: CallBench
  let attacker: TestWorkspace
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-uploads-'))
    bench = await CallBench.start(await realestSwitch())
    attacker = await bench.appliance.workspace()
  })
  after(async () => {
    await bench?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function silence(layout: string, rate: number, seconds: number): Promise<Buffer> {
    const [part, whole] = [join(directory, 'part.ogg'), join(directory, 'whole.ogg')]
    const source = ['-f', 'lavfi', '-i', `anullsrc=r=${rate}:cl=${layout}`, '-t', '10', '-strict', '-2']
    await run('ffmpeg', ['-v', 'error', '-y', ...source, '-c:a', 'flac', '-f', 'ogg', part])
    const loops = ['-stream_loop', String(seconds / 10 - 1), '-i', part, '-c', 'copy']
    await run('ffmpeg', ['-v', 'error', '-y', ...loops, '-f', 'ogg', whole])
    return readFile(whole)
  }
  const upload = async (content: Buffer) =>
    attacker.api.request('POST', '/audios', {
      raw: multipart({ title: 'Silence' }, { name: 'silence.ogg', content }),
      // Eight uploads share the processors.
      withinMs: 90_000,
    })

  it('eight files of 8 channels at 384 kHz and ten minutes are refused before they cost anything', async () => {
    const bomb = await silence('7.1', 384_000, 600)
    const answers = await Promise.all(Array.from({ length: 8 }, async () => upload(bomb)))
    for (const { status, body } of answers) {
      expect(status).to.equal(400)
      expect(body.message).to.equal('file must not have a sample rate above 192 kHz')
    }
  })

  it('a call speaks and another workspace renders its text before eight costly uploads are through', async () => {
    const costly = await silence('stereo', 192_000, 120)
    const order: string[] = []
    const note = async <T>(what: string, work: Promise<T>): Promise<T> => {
      const result = await work
      order.push(what)
      return result
    }
    const uploads = Array.from({ length: 8 }, async () => note('upload', upload(costly)))
    const text = { title: 'Closed', text: 'We are closed today, and back tomorrow.' }
    const spoken = note('text', bench.api.post('/audios', text))
    const tts = { action: 'tts', params: { text: 'Hello.' } }
    const call = async () => bench.ended(await bench.call(called, [tts, { action: 'hangup', params: {} }]))
    const ended = note('call', call())
    expect((await spoken).status).to.equal(201)
    expect((await ended).status).to.equal('completed')
    for (const { status } of await Promise.all(uploads)) expect(status).to.equal(201)
    expect(order.indexOf('text'), order.join(' ')).to.be.below(3)
    expect(order.indexOf('call'), order.join(' ')).to.be.below(8)
  })
})
