/** What the switch wrote becomes what is kept, also when its writer was killed. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { encode } from '../../src/features/recordings/encode.js'
import { RawFiles } from '../../src/features/recordings/raw-files.js'
import { wavFile } from '../support/audio-files.js'

const id = 'rec_01jzzzzzzzzzzzzzzzzzzzzzzz'

describe('encoding of recordings', () => {
  let folder: string
  let raw: RawFiles
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-encode-'))
    raw = new RawFiles(folder)
    await raw.start()
  })
  after(async () => rm(folder, { recursive: true, force: true }))

  async function probe(path: string): Promise<{ rate: number; channels: number; seconds: number }> {
    const { stdout } = await promisify(execFile)('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=sample_rate,channels,duration', '-of', 'json', path],
    ])
    const [stream] = (
      JSON.parse(stdout) as { streams: { sample_rate: string; channels: number; duration: string }[] }
    ).streams
    const { sample_rate, channels, duration } = stream!
    return { rate: Number(sample_rate), channels, seconds: Number(duration) }
  }

  for (const { rate, channels, format, kept } of [
    { rate: 8_000, channels: 1, format: 'wav', kept: 8_000 },
    { rate: 8_000, channels: 2, format: 'mp3', kept: 8_000 },
    { rate: 48_000, channels: 2, format: 'wav', kept: 16_000 },
    { rate: 48_000, channels: 1, format: 'mp3', kept: 16_000 },
  ] as const) {
    it(`makes ${format} of ${kept} Hz of ${channels} channels of ${rate} Hz`, async () => {
      await writeFile(raw.pathOf(id), wavFile(440, 2.5, { rate, channels }))
      const audio = await raw.read(id)
      expect(audio).to.include({ rate, channels, duration: 2_500 })
      const target = raw.convertedOf(id, format)
      const size = await encode(audio!, target, { workspace_id: 'ws_a', format, channels })
      expect((await stat(target)).size).to.equal(size)
      const made = await probe(target)
      expect(made).to.include({ rate: kept, channels })
      // MP3 has whole frames, of 72 ms at 8 kHz, and some before the first sound.
      expect(made.seconds).to.be.closeTo(2.5, 0.25)
    })
  }

  it('takes all that is there of a file whose header tells no length', async () => {
    const cut = wavFile(440, 2, { rate: 8_000 })
    cut.writeUInt32LE(0, 40)
    cut.writeUInt32LE(0, 4)
    await writeFile(raw.pathOf(id), cut)
    const audio = await raw.read(id)
    expect(audio?.duration).to.equal(2_000)
    const target = raw.convertedOf(id, 'wav')
    expect(await encode(audio!, target, { workspace_id: 'ws_a', format: 'wav', channels: 1 })).to.be.at.least(
      2 * 16_000,
    )
    expect((await probe(target)).seconds).to.be.closeTo(2, 0.01)
  })

  it('finds no sound in no file, an empty one, and a header alone', async () => {
    await raw.remove(id)
    expect(await raw.read(id)).to.equal(null)
    for (const bytes of [0, 20, 44]) {
      await writeFile(raw.pathOf(id), wavFile(440, 1).subarray(0, bytes))
      expect(await raw.read(id), `${bytes} bytes`).to.equal(null)
    }
  })
})
