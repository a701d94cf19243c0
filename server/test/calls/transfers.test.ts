/** Handing a line over to somebody else, on a real FreeSWITCH: who hears whom on the way, and where it ends. */
import type { AnsweredLeg } from '../../src/features/calls/model/answered-leg.js'
import type { Side } from '../../src/features/calls/bridge/side.js'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import {
  Transfer,
  type TransferOutcome,
  tonesOfPerson,
  tonesOfVoiceAgent,
} from '../../src/features/calls/bridge/transfer.js'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import {
  type Party,
  type ActiveBridge,
  BridgeBench,
  hasHeard,
  hearsNow,
  music,
  onlyHears,
} from '../support/bridge-bench.js'

describe('a transfer on the freeswitch', function () {
  this.timeout(60_000)
  let bench: BridgeBench
  let line: Party
  let anna: Party
  let ben: Party
  let running: ActiveBridge
  /** Settles the ringing of the target, and of the agent who is called back. */
  let answer: (found: AnsweredLeg | string) => void
  let comeBack: ((found: AnsweredLeg | string) => void) | undefined
  let dropped: AnsweredLeg[]

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await BridgeBench.start()
  })
  after(async () => bench?.stop())

  beforeEach(async function () {
    line = await bench.party(440, 'park')
    anna = await bench.party(600)
    running = bench.run(line.reached, anna.reached)
    await onlyHears(anna, [line.hz], 'anna')
    dropped = []
  })
  afterEach(async () => {
    if (line.dialog.state === 'up') await line.dialog.hangUp()
    await running.over
    for (const party of [anna, ben]) await party?.dialog.over()
  })

  const transferOf = (consult: boolean, side: Side = 'destination', tones = tonesOfPerson) => {
    const stopped = new AbortController()
    running.bridge.once('over', () => stopped.abort())
    const rung = async (signal: AbortSignal, settle: (resolve: typeof answer) => void) =>
      new Promise<AnsweredLeg | string>((resolve) => {
        settle(resolve)
        signal.addEventListener('abort', () => resolve('failed'))
      })
    return new Transfer({
      bridge: running.bridge,
      tones,
      isVideo: false,
      mark: { target: { kind: 'agent', id: 'ag_ben' }, consult, by: 'anna', side, reason: 'über „das“; a=b' },
      ring: async (signal) => rung(signal, (resolve) => (answer = resolve)),
      ringBack: async (signal) => rung(signal, (resolve) => (comeBack = resolve)),
      drop: (reached) => {
        dropped.push(reached)
        void reached.channel.hangUp('LOSE_RACE')
      },
      threeWayBegan: () => undefined,
      signal: stopped.signal,
    })
  }
  const start = (
    consult: boolean,
    side?: Side,
  ): { transfer: Transfer; outcome: Promise<TransferOutcome> } => {
    const transfer = transferOf(consult, side)
    return { transfer, outcome: transfer.run() }
  }
  const joined = async (caller: Party, operator: Party) => {
    await onlyHears(caller, [operator.hz], 'the line')
    await onlyHears(operator, [caller.hz], 'the operator')
  }
  const consulting = async () => {
    const begun = start(true)
    await hasHeard(line, music, 'the line hears the music')
    ben = await bench.party(900)
    answer(ben.reached)
    await joined(anna, ben)
    await hasHeard(line, music, 'the line still hears the music')
    return begun
  }

  /** The target is not reached, and whoever has left is rung again. */
  const ringsBack = async () => {
    comeBack = undefined
    answer('no_answer')
    await eventually(
      async () => comeBack,
      (one) => one !== undefined,
      { what: 'agent who is rung' },
    )
  }

  /** Hangs up, and waits until the switch has told so. */
  const leaves = async (party: Party) => {
    const ended = once(party.channel, 'ended')
    await party.dialog.hangUp()
    await ended
  }

  it('blind: the line waits with music, and the agent is let go when the target answers', async () => {
    const { outcome } = start(false)
    await hasHeard(line, music, 'the line hears the music')
    expect(await hearsNow(line)).to.not.include(anna.hz)
    expect(anna.dialog.state).to.equal('up')
    ben = await bench.party(900)
    answer(ben.reached)
    expect(await outcome).to.equal('completed')
    expect(await anna.dialog.over()).to.equal('BYE')
    await joined(line, ben)
    await ben.dialog.hangUp()
    await running.over
  })

  it('blind: the agent may leave at once', async () => {
    const { outcome } = start(false)
    await hasHeard(line, music, 'the line hears the music')
    await leaves(anna)
    expect(line.channel.end).to.equal(undefined)
    ben = await bench.party(900)
    answer(ben.reached)
    expect(await outcome).to.equal('completed')
    await joined(line, ben)
  })

  it('by a voice agent: the line hears that it rings, the voice agent nothing', async () => {
    const transfer = transferOf(false, 'destination', tonesOfVoiceAgent)
    const outcome = transfer.run()
    // The first of both tones of a ringback, which nobody else sends to the line.
    await hasHeard(line, [440], 'the line hears ringing')
    expect(await hearsNow(line)).to.not.include.members([anna.hz, ...music])
    expect(await hearsNow(anna)).to.deep.equal([])
    answer('busy')
    expect(await transfer.ended).to.equal('busy')
    expect(await outcome).to.equal('busy')
    await joined(line, anna)
  })

  it('that fails brings the line back to the agent', async () => {
    const { outcome } = start(false)
    await hasHeard(line, music, 'the line hears the music')
    answer('busy')
    expect(await outcome).to.equal('busy')
    await joined(line, anna)
  })

  it('that fails rings the agent who has left; when that fails too the talk is over', async () => {
    for (const comesBack of [true, false]) {
      const { outcome } = start(false)
      await hasHeard(line, music, 'the line hears the music')
      await leaves(anna)
      await ringsBack()
      if (comesBack) anna = await bench.party(600)
      comeBack!(comesBack ? anna.reached : 'no_answer')
      expect(await outcome).to.equal('no_answer')
      if (comesBack) await joined(line, anna)
    }
    await running.over
    expect(line.channel.end).to.equal(undefined)
  })

  it('canceled while it rings brings the line back', async () => {
    const { transfer, outcome } = start(true)
    await hasHeard(line, music, 'the line hears the music')
    transfer.cancel()
    expect(await outcome).to.equal('canceled')
    await joined(line, anna)
  })

  it('after consultation: the agent speaks with the target, and then the line does', async () => {
    const { transfer, outcome } = await consulting()
    transfer.complete()
    expect(await outcome).to.equal('completed')
    expect(await anna.dialog.over()).to.equal('BYE')
    await joined(line, ben)
  })

  it('after consultation: an agent who hangs up has handed the line over', async () => {
    const { outcome } = await consulting()
    await anna.dialog.hangUp()
    expect(await outcome).to.equal('completed')
    await joined(line, ben)
  })

  it('after consultation: canceled, or given up by the target, it brings the line back', async () => {
    for (const cancels of [true, false]) {
      const { transfer, outcome } = await consulting()
      if (cancels) transfer.cancel()
      else await ben.dialog.hangUp()
      expect(await outcome).to.equal(cancels ? 'canceled' : 'left')
      await ben.dialog.over()
      await joined(line, anna)
    }
  })

  it('after consultation: the agent may come back with another channel', async () => {
    const { transfer, outcome } = await consulting()
    const before = anna
    anna = await bench.party(600)
    await running.bridge.replace('destination', anna.reached)
    await before.dialog.over()
    await joined(anna, ben)
    await hasHeard(line, music, 'the line still hears the music')
    transfer.complete()
    expect(await outcome).to.equal('completed')
    await joined(line, ben)
  })

  it('ends for all when the line hangs up', async () => {
    const { outcome } = await consulting()
    await line.dialog.hangUp()
    await running.over
    expect(await outcome).to.equal('left')
    expect(await ben.dialog.over()).to.equal('BYE')
    expect(await anna.dialog.over()).to.equal('BYE')
  })

  it('lets a target go who answers when the line has gone', async () => {
    const { outcome } = start(false)
    await hasHeard(line, music, 'the line hears the music')
    ben = await bench.party(900)
    await line.dialog.hangUp()
    await running.over
    answer(ben.reached)
    expect(await outcome).to.not.equal('completed')
    void ben.channel.hangUp('NORMAL_CLEARING')
  })

  it('goes on under another server', async () => {
    await consulting()
    await bench.restart()
    const found = await bench.find(line, [anna, ben])
    expect(found?.transfer?.request.target).to.deep.equal({ kind: 'agent', id: 'ag_ben' })
    expect(found?.transfer?.request.reason).to.equal('über „das“; a=b')
    expect(found?.transfer?.consulted?.bridged).to.equal(true)
    running = bench.run(line.reached, found!.other, found!.found)
    const transfer = transferOf(true)
    const outcome = transfer.run(found!.transfer!.consulted)
    await joined(anna, ben)
    await hasHeard(line, music, 'the line hears the music')
    transfer.complete()
    expect(await outcome).to.equal('completed')
    await joined(line, ben)
  })

  describe('by the line', () => {
    const consultingOnLine = async () => {
      const begun = start(true, 'line')
      await hasHeard(anna, music, 'who waits hears the music')
      ben = await bench.party(900)
      answer(ben.reached)
      await joined(line, ben)
      await hasHeard(anna, music, 'who waits still hears the music')
      return begun
    }
    const primary = () => running.bearers.at(-1)!.channel

    it('blind: it may leave at once, and the target is the line then', async () => {
      const { transfer, outcome } = start(false, 'line')
      await transfer.begun
      expect(primary()).to.equal(anna.channel)
      await leaves(line)
      expect(running.bridge.isOver).to.equal(false)
      await hasHeard(anna, music, 'who waits hears the music')
      ben = await bench.party(900)
      answer(ben.reached)
      expect(await outcome).to.equal('completed')
      await joined(ben, anna)
      expect(primary()).to.equal(ben.channel)
      await leaves(anna)
      await running.over
      await bench.quiet(ben)
      line = ben
    })

    it('that fails brings it back, and rings it when it has left', async () => {
      const first = start(false, 'line')
      await hasHeard(anna, music, 'who waits hears the music')
      answer('busy')
      expect(await first.outcome).to.equal('busy')
      await joined(line, anna)
      expect(primary()).to.equal(line.channel)
      const second = start(false, 'line')
      await second.transfer.begun
      await leaves(line)
      await ringsBack()
      line = await bench.party(440)
      comeBack!(line.reached)
      expect(await second.outcome).to.equal('no_answer')
      await joined(line, anna)
      expect(primary()).to.equal(line.channel)
    })

    it('goes on with the target when the agent leaves in the moment of their answer', async () => {
      for (const waitMs of [0, 2, 1]) {
        const { transfer, outcome } = start(false, 'line')
        await transfer.begun
        ben = await bench.party(900)
        const before = line
        void before.dialog.hangUp()
        await sleep(waitMs)
        answer(ben.reached)
        expect(await outcome).to.equal('completed')
        await before.dialog.over()
        line = ben
        expect(primary()).to.equal(line.channel)
        await joined(line, anna)
      }
    })

    it('that fails for good lets go who waits', async () => {
      const { transfer, outcome } = start(false, 'line')
      await transfer.begun
      await leaves(line)
      await ringsBack()
      comeBack!('offline')
      expect(await outcome).to.equal('no_answer')
      await running.over
      expect(await anna.dialog.over()).to.equal('BYE')
    })

    it('after consultation, canceled and then completed', async () => {
      const first = await consultingOnLine()
      first.transfer.cancel()
      expect(await first.outcome).to.equal('canceled')
      await ben.dialog.over()
      await joined(line, anna)
      const second = await consultingOnLine()
      second.transfer.complete()
      expect(await second.outcome).to.equal('completed')
      expect(await line.dialog.over()).to.equal('BYE')
      await joined(ben, anna)
      line = ben
    })

    it('ends for all when who waits hangs up, and goes on with the line when its program is replaced', async () => {
      const first = await consultingOnLine()
      running.stop()
      await running.over
      expect(await first.outcome).to.equal('left')
      for (const party of [anna, ben]) expect(await party.dialog.over()).to.equal('BYE')
      expect(line.channel.end).to.equal(undefined)
      anna = await bench.party(600)
      running = bench.run(line.reached, anna.reached)
      await joined(line, anna)
      const second = await consultingOnLine()
      await leaves(anna)
      await running.over
      expect(await second.outcome).to.equal('left')
      for (const party of [line, ben]) expect(await party.dialog.over()).to.equal('BYE')
    })

    it('goes on under another server', async () => {
      await consultingOnLine()
      await bench.restart()
      const found = await bench.find(anna, [line, ben])
      expect(found?.found.primarySide).to.equal('destination')
      expect(found?.transfer?.request.side).to.equal('line')
      expect(found?.transfer?.consulted?.bridged).to.equal(true)
      line.channel = found!.other.channel
      running = bench.run(found!.other, anna.reached, found!.found)
      const transfer = transferOf(true, 'line')
      const outcome = transfer.run(found!.transfer!.consulted)
      await joined(line, ben)
      await hasHeard(anna, music, 'who waits hears the music')
      transfer.complete()
      expect(await outcome).to.equal('completed')
      await joined(ben, anna)
      expect(primary()).to.equal(found!.transfer!.consulted!.reached.channel)
      line = ben
    })
  })
})
