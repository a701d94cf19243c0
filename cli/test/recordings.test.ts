/** Recordings over the command line: listed, downloaded in parts, paused, deleted. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Program, unwrapped } from './program.js'

const inAcme = ['--workspace', 'acme']
const record = { action: 'recording' }

describe('recordings', function () {
  this.timeout(120_000)
  let program: Program

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    await json('credit', 'add', '--amount', '10')
    const acl = await json('trunk', 'acl', 'create', '--title', 'Carrier', '--allow', '127.0.0.1')
    const gateway = await json(
      ...['trunk', 'gateway', 'create', '--title', 'Carrier', '--caller-id', '+12025550199'],
      ...['--uri', 'carrier.sandbox'],
    )
    const number = await json(
      ...['number', 'connect', '--number', '2025550199', '--country', 'US', '--title', 'Main'],
      ...['--acl', String(acl['id']), '--gateway', String(gateway['id'])],
    )
    await json('number', 'activate', String(number['id']))
  })
  after(async () => program?.stop())

  const json = async (...args: string[]) => program.json(...args, ...inAcme)

  /** Makes a call that is recorded; returns the recording, once it has a status. */
  async function recorded(say: string, status: string): Promise<Record<string, unknown>> {
    const actions = JSON.stringify([record, { action: 'tts', params: { text: say } }])
    const { data } = await json('call', 'make', '--to', '+12025550100', '--actions', actions)
    const { call_id } = data as { call_id: string }
    const end = Date.now() + 30_000
    while (Date.now() < end) {
      const list = await json('recording', 'list', '--filter', `call_id=${call_id}`)
      const [one] = list['data'] as Record<string, unknown>[]
      if (one?.['status'] === status) return one
      await sleep(200)
    }
    throw new Error(`no recording is ${status}`)
  }

  it('are listed, shown, downloaded and deleted', async () => {
    const { id, size } = (await recorded('Good morning.', 'ready')) as { id: string; size: number }
    expect(await json('recording', 'show', id)).to.include({ id, kind: 'call', format: 'wav', channels: 1 })
    expect((await json('recording', 'list', '--filter', 'kind=voicemail'))['data']).to.deep.equal([])
    const listed = await program.run(['recording', 'list', ...inAcme])
    expect(listed.stdout).to.match(/^ID +KIND +FROM +TO +STATUS +DURATION +CREATED AT\nrec_/)
    const saved = await json('recording', 'download', id)
    expect(saved['file']).to.match(/^call-\d{8}-\d{6}-12025550199-12025550100\.wav$/)
    const content = await readFile(join(program.home, String(saved['file'])))
    expect(content).to.have.length(size)
    expect(content.toString('latin1', 8, 12)).to.equal('WAVE')
    await json('recording', 'download', id, '--output', 'other.wav')
    expect((await readFile(join(program.home, 'other.wav'))).equals(content)).to.equal(true)
    const again = await program.run(['recording', 'download', id, '--output', 'other.wav', ...inAcme])
    expect(again.code).to.equal(2)
    expect(unwrapped(again.stderr)).to.match(/other\.wav is there already/)
    expect(await json('recording', 'delete', id, '--yes')).to.include({ id })
    const gone = await program.run(['recording', 'download', id, ...inAcme])
    expect(gone.code).to.equal(1)
    expect(gone.stderr).to.match(/not found/)
  })

  it('are paused and resumed while the call lasts', async () => {
    const { id } = (await recorded('One moment. '.repeat(100), 'recording')) as { id: string }
    const paused = await program.run(['recording', 'pause', id, ...inAcme])
    expect(paused).to.include({ code: 0, stdout: `${id} is paused.\n` })
    expect(await json('recording', 'show', id)).to.include({ status: 'paused' })
    expect(await json('recording', 'resume', id)).to.include({ status: 'recording' })
  })
})
