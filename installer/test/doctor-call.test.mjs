import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { spawnSync } from 'node:child_process'
import { checkCall } from '../doctor/call.mjs'
import { decoded, shareOf, toneBytes } from '../doctor/tones.mjs'
import { findFreeswitch } from '../parts/freeswitch.mjs'
import { readSettings } from '../settings.mjs'
import { TestAppliance, freePorts } from './support.mjs'

describe('the call of jackfield doctor to itself', function () {
  this.timeout(180_000)

  it('knows a tone by its frequency', () => {
    const sound = Array.from({ length: 60 }, (_, packet) => [...decoded(toneBytes(700, packet * 160))]).flat()
    expect(shareOf(sound, 700)).to.be.above(0.95)
    expect(shareOf(sound, 1100)).to.be.below(0.01)
    expect(shareOf(new Array(8000).fill(0), 700)).to.equal(0)
    expect(shareOf([], 700)).to.equal(0)
  })

  it('is not made where lines are simulated, or nothing runs', async () => {
    const settings = readSettings({ JACKFIELD_HOME: '/nonexistent', JACKFIELD_SWITCH_KIND: 'sandbox' })
    expect(await checkCall(settings, null)).to.deep.equal([
      { state: 'unknown', message: 'no call: Jackfield is not running' },
    ])
  })

  describe('on a real FreeSWITCH', () => {
    const table = `jackfield_test_${process.pid}`
    /** @type {TestAppliance} */
    let appliance
    let range = ''

    before(async function () {
      if (!findFreeswitch()) return this.skip()
      const [first = 0] = await freePorts(1)
      range = `${first}-${first + 100}`
      appliance = await TestAppliance.make({
        ...{ 'switch.kind': 'auto', 'rtp.start': first, 'rtp.end': first + 100 },
      })
      const up = await appliance.run('up')
      expect(up.code, up.out + up.err).to.equal(0)
    })
    after(async () => {
      spawnSync('nft', ['delete', 'table', 'inet', table])
      await appliance?.remove()
    })

    const diagnosis = async () =>
      (await checkCall(readSettings(appliance.env), 'freeswitch')).map(
        ({ state, message }) => `${state}: ${message}`,
      )

    /** @param {string} rule what of the loopback is lost */
    const lose = (rule) => {
      const input = `add table inet ${table}
flush table inet ${table}
add chain inet ${table} input { type filter hook input priority 0; }
add rule inet ${table} input udp ${rule} drop
`
      const { status, stderr } = spawnSync('nft', ['-f', '-'], { input, encoding: 'utf8' })
      expect(status, stderr).to.equal(0)
    }

    it('is heard on both ends', async () => {
      expect(await diagnosis()).to.deep.equal(['well: a call to this machine itself is heard on both ends'])
    })

    it('says which end is deaf', async () => {
      lose(`dport ${range}`)
      expect(await diagnosis()).to.deep.equal([
        'ill: in a call the switch is deaf: what the far end says does not come in',
      ])
      lose(`sport ${range}`)
      expect(await diagnosis()).to.deep.equal([
        'ill: in a call the far end is deaf: what the switch plays does not come out',
      ])
    })
  })
})
