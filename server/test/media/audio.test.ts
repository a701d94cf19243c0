/** What is sent and what is spoken becomes what the switch plays: WAV, 16-bit, mono, 8 kHz. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { convertUpload, settle } from '../../src/features/audio/convert.js'
import { SpeechCache } from '../../src/features/audio/speech-cache.js'
import { Speech } from '../../src/features/audio/speech.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import { multipart, samplesOf, wavFile } from '../support/audio-files.js'
import { toneLevel } from '../support/tone.js'

const run = promisify(execFile)
const hz = 440

describe('audio', function () {
  this.timeout(60_000)
  let directory: string
  const at = (name: string) => join(directory, name)

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-audio-'))
    await writeFile(at('tone.wav'), wavFile(hz, 2, { rate: 44_100, channels: 2 }))
    for (const kind of ['mp3', 'ogg']) {
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', at('tone.wav'), at(`tone.${kind}`)])
    }
  })
  after(async () => rm(directory, { recursive: true, force: true }))

  async function refused(content: Buffer | string): Promise<string> {
    await writeFile(at('sent'), content)
    return convertUpload(at('sent'), at('out.wav'), 'ws_a').then(
      () => 'accepted',
      (error: unknown) => (error as Error).message,
    )
  }

  for (const kind of ['wav', 'mp3', 'ogg']) {
    it(`keeps the tone of a ${kind} file`, async () => {
      const { duration, size } = await convertUpload(at(`tone.${kind}`), at('out.wav'), 'ws_a')
      const wav = await readFile(at('out.wav'))
      expect(wav.length).to.equal(size)
      expect(wav.readUInt16LE(22), 'channels').to.equal(1)
      expect(wav.readUInt32LE(24), 'samples a second').to.equal(8_000)
      expect(wav.readUInt16LE(34), 'bits').to.equal(16)
      expect(duration).to.be.closeTo(2, 0.1)
      expect(toneLevel(samplesOf(wav), hz)).to.be.above(0.95)
    })
  }

  it('refuses by content what only pretends to be audio', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    expect(await refused(png)).to.equal('file must be a WAV, MP3 or Ogg audio')
    expect(await refused('ffconcat version 1.0\nfile /etc/passwd\n')).to.match(/must be a WAV/)
    expect(await refused('#EXTM3U\n/etc/passwd\n')).to.match(/must be a WAV/)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    expect(await refused(svg)).to.match(/must be a WAV/)
    expect(await refused('')).to.match(/must be a WAV/)
    expect(await refused('RIFF\x10\0\0\0WAVEjunk')).to.equal('file cannot be decoded as audio')
    expect(await refused(Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500)]))).to.equal(
      'file cannot be decoded as audio',
    )
    expect(await refused(wavFile(hz, 0))).to.match(/holds no audio|cannot be decoded/)
  })

  it('refuses more than ten minutes', async () => {
    expect(await refused(wavFile(hz, 601, { rate: 8_000 }))).to.equal(
      'file must not be longer than 600 seconds',
    )
  })

  describe('refuses what is much work, before it is converted', () => {
    /** Ten minutes of silence of eight channels at 384 kHz, in a few hundred kilobytes. */
    const bomb = async () => {
      const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=384000:cl=7.1', '-t', '10', '-strict', '-2']
      await run('ffmpeg', ['-v', 'error', '-y', ...silence, '-c:a', 'flac', '-f', 'ogg', at('second.ogg')])
      const looped = ['-stream_loop', '59', '-i', at('second.ogg'), '-c', 'copy', '-f', 'ogg']
      await run('ffmpeg', ['-v', 'error', '-y', ...looped, at('bomb.ogg')])
      return readFile(at('bomb.ogg'))
    }

    it('by its sample rate, channels and samples', async () => {
      expect(await refused(await bomb())).to.equal('file must not have a sample rate above 192 kHz')
      const many = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=hexadecagonal', '-t', '1']
      await run('ffmpeg', ['-v', 'error', '-y', ...many, at('many.wav')])
      expect(await refused(await readFile(at('many.wav')))).to.equal(
        'file must not have more than 8 channels',
      )
      const wide = ['-f', 'lavfi', '-i', 'anullsrc=r=192000:cl=7.1', '-t', '200', '-strict', '-2']
      await run('ffmpeg', ['-v', 'error', '-y', ...wide, '-c:a', 'flac', '-f', 'ogg', at('wide.ogg')])
      expect(await refused(await readFile(at('wide.ogg')))).to.match(/more than 230400000 samples/)
    })

    it('by the decoder that it asks for', async () => {
      await run('ffmpeg', ['-v', 'error', '-y', '-i', at('tone.wav'), '-c:a', 'adpcm_swf', at('odd.wav')])
      expect(await refused(await readFile(at('odd.wav')))).to.match(/cannot be decoded|holds no audio/)
    })

    it('and judges what is left by what it will be kept as', async () => {
      const seen: number[] = []
      const { size } = await convertUpload(at('tone.mp3'), at('out.wav'), 'ws_a', async (bytes) => {
        seen.push(bytes)
        return Promise.resolve()
      })
      expect(seen).to.have.length(1)
      expect(seen[0]).to.be.closeTo(size, 2_000)
    })
  })

  it('keeps the tone of an MP3 with a picture in it', async () => {
    const picture = ['-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1']
    await run('ffmpeg', ['-v', 'error', '-y', ...picture, at('cover.png')])
    const both = ['-i', at('tone.mp3'), '-i', at('cover.png'), '-map', '0', '-map', '1', '-c', 'copy']
    await run('ffmpeg', ['-v', 'error', '-y', ...both, '-id3v2_version', '3', at('cover.mp3')])
    expect((await convertUpload(at('cover.mp3'), at('out.wav'), 'ws_a')).duration).to.be.closeTo(2, 0.1)
  })

  it('notices a result that a full disk cut short', async () => {
    await convertUpload(at('tone.wav'), at('out.wav'), 'ws_a')
    await truncate(at('out.wav'), 20_000)
    const cut = await settle(at('out.wav')).catch((error: unknown) => error)
    expect((cut as Error).message).to.match(/not whole/)
    expect(cut, 'not the sender’s trouble').not.to.have.property('status')
  })

  describe('speech', () => {
    const live = { workspaceId: 'ws_a', lane: 'live' } as const
    const config = () => ({ directory, tts_voice: 'en', tts_cache_mb: 10 })

    it('is no silence, and is rendered once however many ask', async () => {
      const speech = new Speech(config())
      const paths = await Promise.all(
        [1, 2, 3, 4].map(async () => speech.render({ text: 'Good morning' }, live)),
      )
      expect(new Set(paths).size).to.equal(1)
      const { mtimeMs, ino } = await stat(paths[0]!)
      const samples = samplesOf(await readFile(paths[0]!))
      expect(samples.some((sample) => Math.abs(sample) > 2_000)).to.equal(true)
      expect(await speech.render({ text: 'Good morning' }, live)).to.equal(paths[0])
      const again = await stat(paths[0]!)
      expect(again.ino, 'the same file').to.equal(ino)
      expect(again.mtimeMs, 'noted as used').to.be.at.least(mtimeMs)
      const leftovers = (await readdir(join(directory, 'tts'), { recursive: true })).filter((name) =>
        name.endsWith('.tmp'),
      )
      expect(leftovers).to.deep.equal([])
    })

    it('is slower at half the speed', async () => {
      const speech = new Speech(config())
      const [normal, slow] = await Promise.all([
        speech.render({ text: 'one two three four' }, live),
        speech.render({ text: 'one two three four', speed: 0.5 }, live),
      ])
      expect((await stat(slow)).size).to.be.above(1.4 * (await stat(normal)).size)
    })

    it('knows its voices', async () => {
      const speech = new Speech(config())
      expect(await speech.checkVoice('en')).to.equal(true)
      expect(await speech.checkVoice('de')).to.equal(true)
      expect(await speech.checkVoice('en+f3')).to.equal(true)
      expect(await speech.checkVoice('no-such-voice')).to.equal(false)
      expect(await speech.checkVoice('en+no-such-variant')).to.equal(false)
      expect(await speech.checkVoice('+f3')).to.equal(false)
      expect(await speech.checkVoice('en; rm -rf /')).to.equal(false)
    })

    it('keeps its cache within the bound with each file, the longest unused of who has most going first', async () => {
      const folder = await mkdtemp(join(directory, 'cache-'))
      let now = Date.now()
      const cache = new SpeechCache(folder, 5_000, () => (now += 120_000))
      const keep = async (workspaceId: string, key: string) => {
        await writeFile(at('rendered'), Buffer.alloc(1_000))
        return cache.keep(workspaceId, key, at('rendered'))
      }
      const kept = async () => {
        const all = await readdir(folder, { recursive: true })
        return all.filter((name) => name.endsWith('.wav')).sort()
      }
      await keep('ws_b', 'first')
      for (const key of ['1', '2', '3', '4']) await keep('ws_a', key)
      expect(await kept()).to.have.length(5)
      expect(await cache.find('ws_a', '1'), 'used again').to.equal(join(folder, 'ws_a', '1.wav'))
      for (const key of ['5', '6', '7', '8']) {
        await keep('ws_a', key)
        expect(await kept(), key).to.have.length(5)
      }
      expect(await kept()).to.deep.equal([
        'ws_a/5.wav',
        'ws_a/6.wav',
        'ws_a/7.wav',
        'ws_a/8.wav',
        'ws_b/first.wav',
      ])
      expect(await cache.find('ws_a', '1')).to.equal(null)
      const restarted = new SpeechCache(folder, 2_000, () => now)
      await writeFile(at('rendered'), Buffer.alloc(1_000))
      await restarted.keep('ws_c', 'new', at('rendered'))
      expect(await kept()).to.have.length(2)
    })
  })

  describe('over the API', () => {
    let appliance: Appliance
    let workspace: TestWorkspace

    before(async () => {
      appliance = await Appliance.start({ settings: { JACKFIELD_RATE_LIMITS_HEAVY: '1000' } })
      workspace = await appliance.workspace()
    })
    after(async () => appliance?.stop())

    const upload = async (title: string, file: Parameters<typeof multipart>[1]) =>
      workspace.api.request('POST', '/audios', { raw: multipart({ title }, file) })

    it('takes a file, gives it back as WAV, renames and deletes it', async () => {
      const made = await upload('Welcome', { name: 'welcome.mp3', content: await readFile(at('tone.mp3')) })
      expect(made.status).to.equal(201)
      expect(made.body).to.include({
        title: 'Welcome',
        source: 'upload',
        text: null,
        workspace_id: workspace.id,
      })
      expect(made.body.duration).to.be.closeTo(2, 0.1)
      const id = made.body.id as string
      const content = await workspace.api.get(`/audios/${id}/content`)
      expect(content.headers['content-type']).to.equal('audio/wav')
      expect(content.headers['content-length']).to.equal(String(made.body.size))
      expect(toneLevel(samplesOf(content.body as Buffer), hz)).to.be.above(0.95)
      expect((await workspace.api.patch(`/audios/${id}`, { title: 'Hello' })).body.title).to.equal('Hello')
      expect((await workspace.api.delete(`/audios/${id}`)).body.id).to.equal(id)
      expect((await workspace.api.get(`/audios/${id}/content`)).status).to.equal(404)
    })

    it('speaks a text', async () => {
      const made = await workspace.api.post('/audios', { title: 'Closed', text: 'We are closed.' })
      expect(made.status).to.equal(201)
      expect(made.body).to.include({ source: 'tts', text: 'We are closed.' })
      const bad = await workspace.api.post('/audios', {
        title: 'Closed',
        text: 'We are closed.',
        voice: 'no-such-voice',
      })
      expect(bad.body.errors).to.deep.equal([{ field: 'voice', messages: ['voice is not a known voice'] }])
    })

    it('names the field of an upload that will not do', async () => {
      const text = await upload('Text', { name: 'x.wav', content: Buffer.from('no audio at all') })
      expect(text.status).to.equal(400)
      expect(text.body.errors[0].field).to.equal('file')
      const field = await upload('Other', { name: 'x.wav', content: wavFile(hz, 1), field: 'audio' })
      expect(field.status).to.equal(400)
      const title = await upload('x'.repeat(65), { name: 'x.wav', content: wavFile(hz, 1) })
      expect(title.body.errors[0].field).to.equal('title')
      const large = await upload('Large', { name: 'x.wav', content: Buffer.alloc(21 * 1024 * 1024) })
      expect(large.body.errors[0].field).to.equal('file')
    })
  })
})
