/** When a server takes its own switch for dead; the clock is the test's. */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'chai'
import { OwnSwitch } from '../../src/features/cells/own-switch.js'

describe('the switch of the own cell', function () {
  this.timeout(30_000)
  let socket: Socket
  let answers: boolean
  let clock: number
  let link: { isUp: boolean; isStandby: boolean }
  let mayDrive: boolean
  let own: OwnSwitch

  before(async () => {
    socket = createSocket('udp4')
    socket.on('message', (_, { port, address }) => {
      if (answers) socket.send('SIP/2.0 200 OK\r\n\r\n', port, address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  })
  beforeEach(() => {
    ;[answers, clock, mayDrive, link] = [false, 0, true, { isUp: false, isStandby: false }]
    own = new OwnSwitch({
      ...{ link, sipAddress: `127.0.0.1:${socket.address().port}` },
      ...{ mayDrive: () => mayDrive, now: () => clock },
    })
  })
  after(() => socket.close())

  const deadAfter = async (seconds: number) => {
    clock += seconds * 1_000
    return own.isDead()
  }

  it('is dead when neither its Event Socket nor its SIP has answered for a quarter of a minute', async () => {
    expect([await deadAfter(0), await deadAfter(14), await deadAfter(2)]).to.deep.equal([false, false, true])
  })

  it('lives while one of them does, and is waited for anew after that', async () => {
    await deadAfter(0)
    answers = true
    expect(await deadAfter(16)).to.equal(false)
    answers = false
    expect([await deadAfter(1), await deadAfter(14)]).to.deep.equal([false, false])
    link.isUp = true
    expect(await deadAfter(2)).to.equal(false)
    Object.assign(link, { isUp: false, isStandby: true })
    expect(await deadAfter(20)).to.equal(false)
  })

  it('is judged by those alone who may drive it', async () => {
    mayDrive = false
    expect([await deadAfter(0), await deadAfter(60)]).to.deep.equal([false, false])
  })
})
