import { expect } from 'chai'
import { type OutboundText, type RefusalKind, SubmitError } from '../../src/adapters/sms/link.js'
import { type Decision, decide } from '../../src/features/messages/dispatch/retry.js'
import type { Route } from '../../src/features/messages/dispatch/routes.js'

const route = (carrierId: string, values: Partial<Route> = {}): Route => ({
  ...{ carrierId, isActive: true, isUp: true, takesMedia: false, takesOriginators: false },
  ...values,
})

interface Given {
  attempts?: number
  isPartly?: boolean
  routes?: readonly Route[]
  attachments?: number
  originator?: string
  giveUpAt?: Date
  retryAfterMs?: number
}

function decided(kind: RefusalKind, at: string, given: Given = {}): Decision {
  const { attempts = 0, isPartly = false, routes = [route('a'), route('b')] } = given
  const carried = { attachments: given.attachments ?? 0, originator: given.originator ?? null }
  const text: OutboundText = {
    ...{ id: 'msg_1', from: '12025550100', to: '12025550199', body: 'Hi', media: [] },
    encoding: 'gsm7',
  }
  const giveUpAt = given.giveUpAt ?? new Date(Date.now() + 60_000)
  const message = {
    text,
    attempts,
    giveUpAt,
    workspace_id: 'acme',
    phone_number_id: 'pn_1',
    accepted: new Set<number>(),
  }
  const error = new SubmitError(kind, '0x00000045', 'submit failed', given.retryAfterMs)
  return decide({ kind: 'refused', message, error, isPartly }, at, routes, carried)
}

/** Where a message goes next, and in how many seconds; or why it has failed. */
function next(...given: Parameters<typeof decided>): string {
  const decision = decided(...given)
  if (decision.kind === 'failed') return decision.code
  return `${decision.carrierId} in ${Math.round((decision.dueAt.getTime() - Date.now()) / 1000)}`
}

describe('what is done with a message that a carrier has not taken', () => {
  it('goes to none that does not take its sender', () => {
    const routes = [
      route('a', { takesOriginators: true }),
      route('b'),
      route('c', { takesOriginators: true }),
    ]
    expect(next('carrier', 'a', { routes, originator: 'ACME' })).to.equal('c in 0')
    expect(next('carrier', 'a', { routes })).to.equal('b in 0')
    expect(next('carrier', 'c', { routes: routes.slice(1), originator: 'ACME' })).to.equal('0x00000045')
  })

  it('fails when the message is wrong, whatever other carriers there are', () => {
    expect(next('permanent', 'a')).to.equal('0x00000045')
  })

  it('goes to the next carrier at once when this one will never take it', () => {
    expect(next('carrier', 'a')).to.equal('b in 0')
    expect(next('carrier', 'b', { attempts: 1 })).to.equal('0x00000045')
    expect(next('carrier', 'a', { routes: [route('a')] })).to.equal('0x00000045')
    expect(next('carrier', 'a', { isPartly: true })).to.equal('0x00000045')
  })

  it('goes back to a carrier that was passed over as it was down', () => {
    expect(next('carrier', 'b')).to.equal('a in 0')
  })

  it('prefers carriers that are up, and takes none that is inactive or takes no files', () => {
    const routes = [route('a'), route('b', { isUp: false }), route('c')]
    expect(next('carrier', 'a', { routes })).to.equal('c in 0')
    const unfit = [route('a'), route('b', { isActive: false }), route('c', { takesMedia: true })]
    expect(next('carrier', 'a', { routes: unfit, attachments: 1 })).to.equal('c in 0')
    expect(next('carrier', 'a', { attachments: 1 })).to.equal('0x00000045')
  })

  it('waits longer each time before it tries the same carrier, and after three tries the next', () => {
    const routes = [route('a'), route('b')]
    const turns = [0, 1, 2, 3].map((attempts) => next('temporary', 'a', { attempts, routes }))
    expect(turns).to.deep.equal(['a in 1', 'a in 2', 'b in 0', 'a in 8'])
    expect(next('temporary', 'a', { attempts: 40, routes: [route('a')] })).to.equal('a in 300')
    expect(next('temporary', 'a', { retryAfterMs: 7_000 })).to.equal('a in 7')
  })

  it('tries a throttling carrier at short intervals, and the next carrier at the third refusal', () => {
    const turns = [0, 1, 2].map((attempts) => next('throttled', 'a', { attempts }))
    expect(turns).to.deep.equal(['a in 1', 'a in 2', 'b in 0'])
    expect(next('throttled', 'a', { attempts: 40, routes: [route('a')] })).to.equal('a in 10')
  })

  it('takes a message to the next carrier at once where this one asks for a long pause', () => {
    for (const kind of ['throttled', 'destination'] as const) {
      expect(next(kind, 'a', { retryAfterMs: 60_000 })).to.equal('b in 0')
      expect(next(kind, 'b', { retryAfterMs: 60_000 })).to.equal('a in 60')
      expect(next(kind, 'a', { retryAfterMs: 60_000, isPartly: true })).to.equal('a in 60')
      expect(next(kind, 'a', { retryAfterMs: 5_000 })).to.equal('a in 5')
    }
  })

  it('submits again at once what a lost line has left unanswered, twice', () => {
    const routes = [route('a')]
    const turns = [0, 1, 2].map((attempts) => next('unanswered', 'a', { attempts, routes }))
    expect(turns).to.deep.equal(['a in 0', 'a in 0', 'a in 1'])
  })

  it('has failed when its time is over', () => {
    expect(next('temporary', 'a', { giveUpAt: new Date(Date.now() - 1) })).to.equal('expired')
  })
})
