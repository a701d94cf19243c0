/** Which calls are taken up; what is done of one is in test/calls/faults.test.ts. */
import { expect } from 'chai'
import { pino } from 'pino'
import type { CallRecovery } from '../../src/features/calls/recovery/call-recovery.js'
import type { CallStore } from '../../src/features/calls/model/call-store.js'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import type { PhoneRecovery } from '../../src/features/calls/recovery/phone-recovery.js'
import { RecoveryRunner } from '../../src/features/calls/recovery/recovery-runner.js'
import { EndedChannels } from '../../src/adapters/freeswitch/ended-channels.js'

const journal = new EndedChannels('').of([])
const history = { startedAt: new Date(), heardAt: null, journal }
const call = (id: string) => ({ id, line: 'called' }) as Call

describe('taking up', () => {
  it('leaves alone what is placed while the calls before it are taken up', async () => {
    const driven = new Set<string>()
    const taken: string[] = []
    const recovery: Pick<CallRecovery, 'recover'> = {
      recover: async ({ id }) => {
        taken.push(id)
        driven.add('call_last')
        return Promise.resolve(null)
      },
    }
    const runner = new RecoveryRunner({
      ...{ store: {} as CallStore, link: { isUp: true }, log: pino({ level: 'silent' }) },
      ...{ recovery: recovery as CallRecovery, phoneRecovery: {} as PhoneRecovery },
      isDriven: (id) => driven.has(id),
      recovered: async () => Promise.resolve(),
      notRecovered: () => undefined,
    })
    await runner.recoverAll([...'0123456789'].map(call), history)
    expect(taken).to.have.length(10)
    await runner.recoverAll([call('call_last'), call('call_other')], history)
    expect(taken.slice(10)).to.deep.equal(['call_other'])
  })
})
