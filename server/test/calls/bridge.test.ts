/** The talk of a call's line with the one it is connected with, on a real FreeSWITCH: who hears whom, and what. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
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
import type { Channel } from '../../src/adapters/freeswitch/channel.js'
import { eventually } from '../support/api-client.js'

describe('a talk on the freeswitch', function () {
  this.timeout(60_000)
  let bench: BridgeBench
  let line: Party
  let anna: Party
  let running: ActiveBridge

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await BridgeBench.start()
  })
  after(async () => bench?.stop())

  const joined = async (caller: Party, operator: Party) => {
    await onlyHears(caller, [operator.hz], 'the line')
    await onlyHears(operator, [caller.hz], 'the operator')
  }
  const begin = async () => {
    line = await bench.party(440, 'park')
    anna = await bench.party(600)
    running = bench.run(line.reached, anna.reached)
    await joined(line, anna)
  }

  it('is held and taken back by either side: the other one hears music, and nothing of whom they talk with', async () => {
    await begin()
    await running.bridge.hold('destination')
    await hasHeard(line, music, 'the line hears the music')
    expect(await hearsNow(line)).to.not.include(anna.hz)
    expect(await hearsNow(anna)).to.not.include(line.hz)
    await running.bridge.hold('line')
    await hasHeard(anna, music, 'anna hears the music')
    await running.bridge.unhold('destination')
    expect(await hearsNow(line)).to.deep.equal([])
    expect(await hearsNow(anna)).to.not.include(line.hz)
    await running.bridge.unhold('line')
    await joined(line, anna)
    await anna.dialog.hangUp()
    await running.over
    await bench.quiet(line)
    expect(line.channel.state).to.equal('answered')
    expect(running.ended.map(([, { hangupCause }]) => hangupCause)).to.deep.equal(['NORMAL_CLEARING'])
    await line.dialog.hangUp()
  })

  it('mutes either side for the other one only', async () => {
    await begin()
    await running.bridge.mute('destination', true)
    await onlyHears(line, [], 'the line')
    expect(await hearsNow(anna)).to.deep.equal([line.hz])
    await running.bridge.hold('line')
    await running.bridge.unhold('line')
    await onlyHears(anna, [line.hz], 'anna')
    expect(await hearsNow(line), 'still muted after a hold').to.deep.equal([])
    await running.bridge.mute('destination', false)
    await running.bridge.mute('line', true)
    await onlyHears(anna, [], 'anna')
    expect(await hearsNow(line)).to.deep.equal([anna.hz])
    await running.bridge.mute('line', false)
    await joined(line, anna)
    await leave()
  })

  it('passes keys on that an app presses', async () => {
    await begin()
    await running.bridge.press('destination', '12#')
    await eventually(
      async () => line.phone.ear.heard().map(({ keys }) => keys),
      (keys) => keys.includes('12#'),
      { what: 'keys at the line' },
    )
    await leave()
  })

  it('goes on with another channel in the place of the operator, also while it is held', async () => {
    await begin()
    const again = await bench.party(900)
    await running.bridge.replace('destination', again.reached)
    expect(await anna.dialog.over()).to.equal('BYE')
    await joined(line, again)
    await running.bridge.hold('destination')
    const third = await bench.party(1300)
    await running.bridge.replace('destination', third.reached)
    expect(await again.dialog.over()).to.equal('BYE')
    await hasHeard(line, music, 'the line hears the music')
    expect(await hearsNow(third)).to.deep.equal([])
    await running.bridge.unhold('destination')
    await joined(line, third)
    // A later hang-up of the line is that of the operator, though nobody drives the call.
    await line.dialog.hangUp()
    expect(await third.dialog.over()).to.equal('BYE')
    await running.over
  })

  it('goes on with another channel in the place of the line, which bears the call then', async () => {
    await begin()
    const before = line
    await before.channel.setVariables({ jackfield_step: '3.1' })
    await running.bridge.hold('line')
    line = await bench.party(900)
    await running.bridge.replace('line', line.reached)
    expect(await before.dialog.over()).to.equal('BYE')
    await hasHeard(anna, music, 'anna hears the music')
    await running.bridge.unhold('line')
    await joined(line, anna)
    expect(await line.channel.text('jackfield_step')).to.equal('3.1')
    expect(running.bearers.at(-1)).to.equal(line.reached)
    expect(running.ended.map(([{ channel }]) => channel)).to.deep.equal([before.channel])
    expect(running.bridge.reached).to.deep.equal([anna.reached])
    // Who bears it is parked when the other one leaves, and not the other way round.
    await anna.dialog.hangUp()
    await running.over
    await bench.quiet(line)
    expect(line.channel.state).to.equal('answered')
    await line.dialog.hangUp()
  })

  it('lets a caller who is held hang up, and an operator who holds', async () => {
    await begin()
    await running.bridge.hold('destination')
    await line.dialog.hangUp()
    expect(await anna.dialog.over()).to.equal('BYE')
    await running.over
    await begin()
    await running.bridge.hold('destination')
    await anna.dialog.hangUp()
    await running.over
    await bench.quiet(line)
    await line.dialog.hangUp()
  })

  it('leaves the line to what comes next when the operator is gone before both are joined', async () => {
    const caller = await bench.party(440, 'park')
    for (let ms = 0; ms < 24; ms += 2) {
      const brief = await bench.party(600)
      brief.phone.bye(brief.dialog)
      await sleep(ms)
      await bench.run(caller.reached, brief.reached).over
      const played = caller.channel.play('tone_stream://%(100,0,900)', AbortSignal.timeout(5_000))
      expect(await played.catch(String), `${ms} ms after the BYE`).to.equal(true)
    }
    await caller.dialog.hangUp()
  })

  describe('with somebody who is heard before the answer', () => {
    const announced = async (limits: { ringTimeout: number; maxDuration: number }) => {
      const heard = await bench.dial(600, 'hangup', { ...limits, earlyMedia: true })
      heard.phone.announce(heard.dialog)
      await eventually(
        async () => heard.channel.state,
        (state) => state === 'ringing',
        { what: 'early media' },
      )
      return heard
    }
    const causeOf = async ({ channel }: { channel: Channel }) => {
      await eventually(
        async () => channel.end,
        (end) => end !== undefined,
        { what: 'end by the switch' },
      )
      return channel.end?.hangupCause
    }

    it('is given up by the switch itself, before the answer and after it', async () => {
      const unanswered = await announced({ ringTimeout: 2, maxDuration: 600 })
      expect(await causeOf(unanswered)).to.equal('NO_ANSWER')
      const endless = await announced({ ringTimeout: 600, maxDuration: 2 })
      endless.phone.accept(endless.dialog)
      expect(await causeOf(endless)).to.equal('ALLOTTED_TIMEOUT')
      const lasting = await announced({ ringTimeout: 2, maxDuration: 600 })
      lasting.phone.accept(lasting.dialog)
      await sleep(4_000)
      expect(lasting.channel.state).to.equal('answered')
      await lasting.dialog.hangUp()
    })
  })

  describe('found again by another server', () => {
    const takeUp = async (others: Party[] = []) => {
      await bench.restart()
      const found = await bench.find(line, [anna, ...others])
      expect(found, 'a talk').to.not.equal(null)
      return found!
    }

    it('joined, held and muted', async () => {
      await begin()
      await running.bridge.mute('destination', true)
      await running.bridge.hold('destination')
      await hasHeard(line, music, 'the line hears the music')
      const { found, other } = await takeUp()
      expect(found).to.deep.equal({
        primarySide: 'line',
        holders: ['destination'],
        bridged: false,
        muted: ['destination'],
        deaf: [],
        transfer: null,
      })
      running = bench.run(line.reached, other, found)
      await hasHeard(line, music, 'the line hears the music again')
      await running.bridge.unhold('destination')
      await onlyHears(anna, [line.hz], 'anna')
      expect(await hearsNow(line)).to.deep.equal([])
      const again = await takeUp()
      expect(again.found).to.deep.equal({
        primarySide: 'line',
        holders: [],
        bridged: true,
        muted: ['destination'],
        deaf: [],
        transfer: null,
      })
      running = bench.run(line.reached, again.other, again.found)
      await running.bridge.mute('destination', false)
      await joined(line, anna)
      await leave()
    })
  })

  /** Ends the talk by the operator. */
  async function leave(): Promise<void> {
    await anna.dialog.hangUp()
    await running.over
    await line.dialog.hangUp()
  }
})
