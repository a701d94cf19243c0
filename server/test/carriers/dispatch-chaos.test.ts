import { expect } from 'chai'
import { messageChaos } from '../support/message-chaos.js'

describe('messages in chaos', () => {
  it('come to the carrier once, and to their end: `npm run bench messages-chaos` does it with 50,000', async function () {
    this.timeout(180_000)
    const window = 20
    const result = await messageChaos({
      ...{ messages: 1_500, window, dropAfter: 400 },
      ...{ kills: [0.3], outages: [0.6], outageMs: 3_000, withinMs: 150_000 },
    })
    expect(result).to.include({ messages: 1_500, neverAnswered: 0, wrongStatuses: 0, left: 0 })
    // The kill and the outage begin the count of a connection again: which of three drops they swallow is a matter of time.
    expect(result.drops).to.be.at.least(2)
    // What was answered and not kept when the server was killed.
    expect(result.repeated).to.be.at.most(window)
    expect(result.submissions).to.be.at.most(1_500 + result.unanswered + result.repeated)
  })
})
