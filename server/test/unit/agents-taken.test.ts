/** When other cells hear that an agent is free. */
import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { AgentClaims, noOtherCells } from '../../src/features/calls/dialling/agent-claims.js'
import { RemoteAgentClaims } from '../../src/features/calls/cluster/remote-agent-claims.js'
import type { CallOwnership } from '../../src/features/calls/cluster/call-ownership.js'
import type { Servers } from '../../src/features/cluster/servers.js'
import type { Switchboard } from '../../src/adapters/freeswitch/switchboard.js'

describe('agents of several cells', () => {
  it('are told to be free once they can be claimed', async () => {
    let rowIsGone: () => void = () => undefined
    const gone = new Promise<void>((resolve) => (rowIsGone = resolve))
    const claims = new AgentClaims(new EventEmitter() as unknown as Switchboard, {
      ...noOtherCells,
      givenUp: async () => gone,
    })
    const told: unknown[] = []
    const servers = Object.assign(new EventEmitter(), {
      share: (_: string, { agents }: { agents: [string, { state: string } | null][] }) => {
        told.push(...agents.map(([id, presence]) => [id, presence?.state ?? null]))
      },
      onShared: () => undefined,
      onNotice: () => undefined,
    })
    const driver = new EventEmitter() as unknown as CallOwnership
    new RemoteAgentClaims(servers as unknown as Servers, driver).shareClaims(claims)
    const giveUp = await claims.claim('ag_1', 'call_1')
    giveUp?.()
    await turn()
    expect(told).to.deep.equal([['ag_1', 'busy']])
    rowIsGone()
    await turn()
    expect(told).to.deep.equal([
      ['ag_1', 'busy'],
      ['ag_1', null],
    ])
  })
})
