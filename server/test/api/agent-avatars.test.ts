/** Pictures of agents: what is taken for one, where it lies, and when it goes. */
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Answer, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { animatedGif, animatedWebp, gif, jpeg, png, progressiveJpeg, webp } from '../support/pictures.js'
import { agentInput, fieldsOf, newAgent, startUnlimited, succeed } from './fixtures.js'

const maxBytes = 5 * 1024 * 1024

const heavyLimit = '1234'

describe('avatars', function () {
  this.timeout(30_000)
  let appliance: Appliance
  let api: TestWorkspace['api']
  let id: string
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_RATE_LIMITS_HEAVY: heavyLimit })
    api = (await appliance.workspace()).api
  })
  after(async () => appliance?.stop())
  beforeEach(async () => {
    id = await newAgent(api)
  })

  const upload = async (content: Buffer, type: string, { name = 'me.png', field = 'file', of = id } = {}) =>
    api.request('PATCH', `/agents/${of}/avatar`, { raw: multipart({}, { name, content, field, type }) })

  /** Gets a picture as a browser does: from its address, without credentials. */
  const show = async (address: string): Promise<Answer> => {
    const { host, port, pathname } = new URL(address)
    expect(Number(port)).to.equal(appliance.port)
    expect(pathname).to.match(/^\/api\/v1\/avatars\/[0-9a-f]{32}\.(png|jpg|gif|webp)$/)
    const anybody = api.with({ host: host.replace(/:\d+$/, ''), authorization: undefined })
    return anybody.get(pathname.replace('/api/v1', ''))
  }

  const files = async () => readdir(join(appliance.mediaDirectory, 'avatars'))

  it('are served as they were sent, to whoever knows the address', async () => {
    const kinds = [
      ...[
        { content: png, type: 'image/png' },
        { content: jpeg, type: 'image/jpeg' },
      ],
      ...[
        { content: gif, type: 'image/gif' },
        { content: webp, type: 'image/webp' },
      ],
      { content: progressiveJpeg, type: 'IMAGE/JPEG' },
      ...[
        { content: animatedGif, type: 'image/gif' },
        { content: animatedWebp, type: 'image/webp' },
      ],
    ]
    for (const { content, type } of kinds) {
      const { avatar } = await succeed(upload(content, type))
      expect(avatar).to.match(new RegExp(`^http://${api.host}:`))
      const shown = await show(avatar)
      expect(shown.status, avatar).to.equal(200)
      expect(shown.headers).to.include({
        'content-type': type.toLowerCase(),
        'content-length': String(content.length),
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect((shown.body as Buffer).equals(content), type).to.equal(true)
    }
  })

  it('are asked for without being sent, over and over', async () => {
    const { avatar } = await succeed(upload(png, 'image/png'))
    const path = new URL(avatar).pathname.replace('/api/v1', '')
    const openFiles = async () => (await readdir(`/proc/${appliance.serverPid}/fd`)).length
    const before = await openFiles()
    for (let count = 0; count < 50; count++) {
      const { status, headers, body } = await api.request('HEAD', path)
      expect([status, headers['content-length'], body.length]).to.deep.equal([200, String(png.length), 0])
    }
    await eventually(openFiles, (open) => open < before + 25, { what: 'closed files' })
  })

  it('are known by what they hold, not by what they are called', async () => {
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    const wrong: [string, Buffer, string][] = [
      ['HTML labelled PNG', html, 'image/png'],
      ['HTML behind the first bytes of a GIF', Buffer.concat([Buffer.from('GIF89a'), html]), 'image/gif'],
      ['HTML behind the first bytes of a PNG', Buffer.concat([png.subarray(0, 8), html]), 'image/png'],
      ['SVG', svg, 'image/svg+xml'],
      ['SVG labelled PNG', svg, 'image/png'],
      ['half a PNG', png.subarray(0, png.length / 2), 'image/png'],
      ['a JPEG without its end', jpeg.subarray(0, jpeg.length - 2), 'image/jpeg'],
      ['a GIF without its end', gif.subarray(0, gif.length - 1), 'image/gif'],
      ['half a WebP', webp.subarray(0, webp.length / 2), 'image/webp'],
      ['nothing', Buffer.alloc(0), 'image/png'],
      ['zeros', Buffer.alloc(1_000), 'image/png'],
      ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]), 'image/bmp'],
    ]
    for (const [what, content, type] of wrong) {
      expect(fieldsOf(await upload(content, type)), what).to.deep.equal(['file'])
    }
    expect((await succeed(api.get(`/agents/${id}`))).avatar).to.equal(null)
  })

  it('are taken whatever their label says, and served as what they are', async () => {
    const labelled: [Buffer, string, string][] = [
      [png, 'image/svg+xml', 'image/png'],
      [png, 'image/jpeg', 'image/png'],
      [jpeg, 'image/png', 'image/jpeg'],
      [gif, 'image/webp', 'image/gif'],
      [png, 'text/html', 'image/png'],
      [webp, 'application/octet-stream', 'image/webp'],
    ]
    for (const [content, label, type] of labelled) {
      const shown = await show((await succeed(upload(content, label))).avatar)
      expect(shown.headers['content-type'], label).to.equal(type)
      expect((shown.body as Buffer).equals(content), label).to.equal(true)
    }
  })

  it('tell nothing but the picture: place, device and comments are not kept', async () => {
    const exif = Buffer.from('\xff\xe1\0\x11Exif\0\0GPS-place', 'latin1')
    const { avatar } = await succeed(
      upload(Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]), 'image/jpeg'),
    )
    expect(((await show(avatar)).body as Buffer).equals(jpeg)).to.equal(true)
  })

  it('hold nothing but the picture: what is put behind it is not kept', async () => {
    const script = Buffer.from('<script>alert(document.cookie)</script>')
    for (const [content, type] of [
      [gif, 'image/gif'],
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
    ] as const) {
      const { avatar } = await succeed(upload(Buffer.concat([content, script]), type))
      expect(((await show(avatar)).body as Buffer).equals(content), type).to.equal(true)
    }
  })

  it('are no larger than 5 MB, and no more than 10,000 pixels wide or high', async () => {
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
    expect((await upload(padded(maxBytes), 'image/png')).status).to.equal(200)
    expect(fieldsOf(await upload(padded(maxBytes + 1), 'image/png'))).to.deep.equal(['file'])
    const wide = Buffer.from(gif)
    wide.writeUInt16LE(10_000, 6)
    expect((await upload(wide, 'image/gif')).status).to.equal(200)
    wide.writeUInt16LE(10_001, 8)
    expect(fieldsOf(await upload(wide, 'image/gif'))).to.deep.equal(['file'])
  })

  it('are sent as field file of multipart/form-data, and of nothing else', async () => {
    expect(fieldsOf(await upload(png, 'image/png', { field: 'avatar' }))).to.deep.equal(['avatar'])
    const path = `/agents/${id}/avatar`
    expect(fieldsOf(await api.patch(path, {}))).to.deep.equal(['file'])
    expect(fieldsOf(await api.patch(path, { file: png.toString('base64') }))).to.deep.equal(['file'])
    expect(fieldsOf(await api.patch(path))).to.deep.equal(['file'])
    expect(
      fieldsOf(await api.request('PATCH', path, { raw: { type: 'image/png', content: png } })),
    ).to.deep.equal(['file'])
    const empty = { type: 'multipart/form-data; boundary=x', content: '--x--\r\n' }
    expect(fieldsOf(await api.request('PATCH', path, { raw: empty }))).to.deep.equal(['file'])
    const evil = await upload(png, 'image/png', { name: '../../../../etc/passwd\0.png' })
    expect(evil.status).to.equal(200)
  })

  it('count as heavy requests', async () => {
    const { headers } = await upload(png, 'image/png')
    expect(headers['x-ratelimit-limit']).to.equal(heavyLimit)
  })

  it('of unknown agents and of other workspaces are refused with 404', async () => {
    const { api: foreign } = await appliance.workspace()
    for (const of of ['ag_unknown', await newAgent(foreign)]) {
      const before = await files()
      expect((await upload(png, 'image/png', { of })).status).to.equal(404)
      expect(await files()).to.deep.equal(before)
    }
  })

  it('go when another comes, when they are taken away, and with their agents', async () => {
    const first = (await succeed(upload(png, 'image/png'))).avatar as string
    const second = (await succeed(upload(jpeg, 'image/jpeg'))).avatar as string
    expect((await show(first)).status).to.equal(404)
    expect((await show(second)).status).to.equal(200)
    // Sent back as it was told, it stays.
    expect((await succeed(api.patch(`/agents/${id}`, { avatar: second, role: 'leader' }))).avatar).to.equal(
      second,
    )
    expect((await show(second)).status).to.equal(200)
    const elsewhere = 'https://example.com/me.png'
    expect((await succeed(api.patch(`/agents/${id}`, { avatar: elsewhere }))).avatar).to.equal(elsewhere)
    expect((await show(second)).status).to.equal(404)
    const third = (await succeed(upload(gif, 'image/gif'))).avatar as string
    expect((await succeed(api.patch(`/agents/${id}`, { avatar: null }))).avatar).to.equal(null)
    expect((await show(third)).status).to.equal(404)
    const fourth = (await succeed(upload(webp, 'image/webp'))).avatar as string
    expect((await succeed(api.delete(`/agents/${id}`))).avatar).to.equal(fourth)
    expect((await show(fourth)).status).to.equal(404)
  })

  it('that race leave one picture, and it is the one that is told', async () => {
    const before = new Set(await files())
    const answers = await Promise.all(
      [png, jpeg, gif, webp].map(async (content, index) =>
        upload(content, ['image/png', 'image/jpeg', 'image/gif', 'image/webp'][index]!),
      ),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    const { avatar } = await succeed(api.get(`/agents/${id}`))
    expect((await show(avatar)).status).to.equal(200)
    const left = (await files()).filter((name) => !before.has(name))
    expect(left).to.deep.equal([avatar.split('/').at(-1)])
  })

  it('are not left behind when the agent goes meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const of = (await succeed(api.post('/agents', agentInput()))).id
      const before = await files()
      const [uploaded] = await Promise.all([upload(png, 'image/png', { of }), api.delete(`/agents/${of}`)])
      expect(uploaded.status).to.be.oneOf([200, 404])
      expect((await files()).filter((name) => !before.includes(name))).to.deep.equal([])
    }
  })

  it('have names that name nothing else', async () => {
    const names = [
      '',
      'x',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e/%2e%2e',
      '%00',
      '%',
      'é',
      `${'0'.repeat(32)}.png`,
    ]
    const odd = [`${'0'.repeat(32)}.svg`, `${'0'.repeat(32)}.png.tmp`, `${'g'.repeat(32)}.png`]
    for (const name of [...names.map((one) => (one === 'é' ? '%C3%A9' : one)), ...odd]) {
      expect((await api.get(`/avatars/${name}`)).status, name).to.be.oneOf([400, 404])
    }
  })

  it('are swept at the next start when no agent has them, unless they are young', async () => {
    const { avatar } = await succeed(upload(png, 'image/png'))
    const kept = avatar.split('/').at(-1) as string
    const at = (name: string) => join(appliance.mediaDirectory, 'avatars', name)
    const orphans = [`${'a'.repeat(32)}.png`, `${'b'.repeat(32)}.png.1.tmp`, 'fremd-ü.png']
    for (const name of [...orphans, 'young.png']) await writeFile(at(name), 'x')
    const old = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [...orphans, kept]) await utimes(at(name), old, old)
    await appliance.stopServer()
    await appliance.startServer()
    const left = await files()
    expect(left).to.include.members([kept, 'young.png'])
    expect(left).not.to.include.members([orphans[0]])
    for (const orphan of orphans) expect(left).not.to.include(orphan)
    expect((await show(avatar)).status).to.equal(200)
  })
})
