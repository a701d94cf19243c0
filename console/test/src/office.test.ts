/** A call centre behind one address, on a real FreeSWITCH, with the limits of requests that a new server has. */
import { expect } from 'chai'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { TeamBench } from '../../../server/dist/test/support/team-bench.js'
import { ConsoleBench } from './support/console-bench.js'
import { Office, type Play, defaultLimits } from './support/office/office.js'

const agents = 30

const plays: readonly Play[] = [{ kind: 'answered', by: 'browser', talkMs: 1_200 }, { kind: 'abandoned' }]

describe('An office of thirty agents behind one address', function () {
  this.timeout(180_000)
  let team: TeamBench
  let bench: ConsoleBench
  let office: Office

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    team = await TeamBench.start({ settings: defaultLimits })
    bench = await ConsoleBench.on(team.inbound.bench.workspace)
    office = await Office.open(team, bench, { agents, browsers: 2, signInMs: 0, maxWait: 60 })
  })
  after(async () => {
    await office?.close()
    await bench?.closePages()
    await team?.stop()
  })

  it('should sign in at once, and take calls that ring all, without a refusal, a white page or a wrong outcome', async () => {
    await office.signIn()
    expect(await office.problems()).to.eql([])
    for (const play of plays) {
      expect(await office.play(play), play.kind).to.eql([])
      expect(await office.problems(), play.kind).to.eql([])
    }
    const { byPath, requests } = office.traffic
    const asked = (path: string) => byPath.find((one) => one.path === path)?.requests ?? 0
    expect(asked('GET /stream')).to.equal(agents)
    expect(asked('GET /me'), 'all signed in').to.equal(agents)
    expect(asked('GET /call-center/calls'), 'once to sign in, once a call, and a few').to.be.below(
      agents * (1.5 + plays.length),
    )
    // Three times what one agent may ask: a limit that counts them together would have refused most of it.
    expect(requests.filter(({ isApi }) => isApi).length).to.be.above(300)
  })
})
