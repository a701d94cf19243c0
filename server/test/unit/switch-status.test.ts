import { expect } from 'chai'
import { statusIn, switchLoadIn } from '../../src/adapters/freeswitch/switch-status.js'

describe('what the switch says of itself', () => {
  it('is read line by line', () => {
    const text = `UP 0 years, 1 day, 2 hours, 3 minutes, 4 seconds, 517 milliseconds, 80 microseconds
FreeSWITCH (Version 1.10.12 -release 64bit) is ready
4021 session(s) since startup
37 session(s) - peak 112, last 5min 40 
3 session(s) per Sec out of max 200, peak 58, last 5min 9 
5000 session(s) max
min idle cpu 0.00/91.23
Current Stack Size/Max 240K/8192K
`
    expect(statusIn(text)).to.deep.equal({
      uptime_seconds: 86_400 + 2 * 3_600 + 3 * 60 + 4,
      ...{ channels: 37, max_channels: 5_000, peak_channels: 112, channels_begun: 4_021 },
    })
    expect(switchLoadIn(text)).to.deep.equal({ perSecond: 3, maxPerSecond: 200, idleRatio: 0.9123 })
    expect(switchLoadIn('')).to.deep.equal({})
  })
})
